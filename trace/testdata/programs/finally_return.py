# A return in a finally swallows the exception, and replaces another return.
def swallow():
    try:
        return 1 // 0
    finally:
        return "swallowed"


def replace():
    try:
        return "first"
    finally:
        return "second"


def loop():
    for i in range(3):
        try:
            continue
        finally:
            if i == 1:
                break
    return i


a = swallow()
b = replace()
c = loop()
