# A read of address zero by ctypes kills the process; every event before it must be kept.
import ctypes


def crash(address):
    return ctypes.string_at(address)


x = 1
crash(0)
y = 2
