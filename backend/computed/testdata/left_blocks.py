# How blocks are left: by exceptions that no handler takes, and through finally and with.


class m:
    def __enter__(self):
        pass

    def __exit__(self, *a):
        pass


def one_0():
    try:
        raise RuntimeError('x')
    except IndexError:
        pass
    return 1


def two_1():
    try:
        raise RuntimeError('x')
    except IndexError:
        pass
    except LookupError:
        pass
    return 1


def g():
    raise RuntimeError('x')
def call_2():
    try:
        g()
    except IndexError:
        pass
    except LookupError:
        y = 1
    return 1


def as_3():
    try:
        raise RuntimeError('x')
    except IndexError as e:
        pass
    except LookupError as e:
        pass
    return 1


def blank_4():
    try:




        raise RuntimeError('x')
    except IndexError:
        pass
    except LookupError:
        y = 1
    return 1


def finally_5():
    try:
        raise RuntimeError('x')
    except IndexError:
        pass
    finally:
        y = 1
    return 1


def finally2_6():
    try:
        raise RuntimeError('x')
    except IndexError:
        pass
    except KeyError:
        pass
    finally:
        y = 1
    return 1


def nestedfin_7():
    try:
        try:
            raise RuntimeError('x')
        except KeyError as e:
            raise
        finally:
            y = 1
    except (TypeError, IndexError):
        z = 1
    return 1


def retfin_8():
    x = 3
    try:
        return x
    finally:
        y = 1


def retfinfor_9():
    for x in [1]:
        try:
            return x
        finally:
            y = 1


def retfinexc_10():
    x = 3
    try:
        return x
    except KeyError:
        pass
    finally:
        y = 1


def retfinelse_11():
    x = 3
    try:
        return x
    except KeyError:
        pass
    else:
        z = 1
    finally:
        y = 1


def retexcfinfor_12():
    for x in [1]:
        try:
            return x
        except KeyError:
            pass
        finally:
            y = 1


def const_13():
    try:
        return 5
    finally:
        y = 1


def none_14():
    try:
        return
    finally:
        y = 1


def call_15():
    try:
        return len('a')
    finally:
        y = 1


def withc_16():
    with m():
        return 5


def withx_17():
    x = 1
    with m():
        return x


def forc_18():
    for x in [1]:
        try:
            return 5
        finally:
            y = 1


def tryexc_19():
    x = 2
    try:
        x = 1 / 0
    except ZeroDivisionError as e:
        return x
    finally:
        y = 1


def tryexcc_20():
    x = 2
    try:
        x = 1 / 0
    except ZeroDivisionError as e:
        return 5
    finally:
        y = 1


def excas_21():
    x = 2
    try:
        x = 1 / 0
    except ZeroDivisionError as e:
        return 5


def two_22():
    x = 2
    try:
        try:
            return x
        finally:
            y = 1
    finally:
        z = 1


def twoc_23():
    x = 2
    try:
        try:
            return 5
        finally:
            y = 1
    finally:
        z = 1


def brk_24():
    for x in [1, 2]:
        try:
            break
        finally:
            y = 1
    return x


def cont_25():
    for x in [1, 2]:
        try:
            continue
        finally:
            y = 1
    return x


def wbrk_26():
    for x in [1, 2]:
        with m():
            break
    return x


def wcont_27():
    for x in [1, 2]:
        with m():
            continue
    return x


def while_28():
    x = 0
    while True:
        x += 1
        try:
            if x > 2:
                break
            continue
        finally:
            y = 1
    return x


try:
    one_0()
except RuntimeError:
    pass
try:
    two_1()
except RuntimeError:
    pass
try:
    call_2()
except RuntimeError:
    pass
try:
    as_3()
except RuntimeError:
    pass
try:
    blank_4()
except RuntimeError:
    pass
try:
    finally_5()
except RuntimeError:
    pass
try:
    finally2_6()
except RuntimeError:
    pass
try:
    nestedfin_7()
except RuntimeError:
    pass
try:
    retfin_8()
except RuntimeError:
    pass
try:
    retfinfor_9()
except RuntimeError:
    pass
try:
    retfinexc_10()
except RuntimeError:
    pass
try:
    retfinelse_11()
except RuntimeError:
    pass
try:
    retexcfinfor_12()
except RuntimeError:
    pass
try:
    const_13()
except RuntimeError:
    pass
try:
    none_14()
except RuntimeError:
    pass
try:
    call_15()
except RuntimeError:
    pass
try:
    withc_16()
except RuntimeError:
    pass
try:
    withx_17()
except RuntimeError:
    pass
try:
    forc_18()
except RuntimeError:
    pass
try:
    tryexc_19()
except RuntimeError:
    pass
try:
    tryexcc_20()
except RuntimeError:
    pass
try:
    excas_21()
except RuntimeError:
    pass
try:
    two_22()
except RuntimeError:
    pass
try:
    twoc_23()
except RuntimeError:
    pass
try:
    brk_24()
except RuntimeError:
    pass
try:
    cont_25()
except RuntimeError:
    pass
try:
    wbrk_26()
except RuntimeError:
    pass
try:
    wcont_27()
except RuntimeError:
    pass
try:
    while_28()
except RuntimeError:
    pass
