import faulthandler


def poke(address):
    faulthandler._sigsegv()


def start():
    poke(0)


start()
