# Nested try statements: each finally runs once, inner ones first, else clauses in between.
log = []


def f(x):
    try:
        try:
            log.append(10 // x)
        except TypeError:
            log.append("type")
        else:
            log.append("else")
        finally:
            log.append("inner")
    except ZeroDivisionError as e:
        log.append(str(e)[:7])
        raise
    finally:
        log.append("outer")
    return x


f(5)
try:
    f(0)
except ArithmeticError:
    log.append("caught")
try:
    f("a")
except Exception:
    pass
