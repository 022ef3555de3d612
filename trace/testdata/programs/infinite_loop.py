# A loop that never ends: only single steps may be asked of it.
# conformance: endless
def spin():
    n = 0
    while True:
        n = (n + 1) % 3


spin()
