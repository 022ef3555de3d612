import config
from config import level


def shout(text):
    return text.upper() + "!" * (1 + level)


def whisper(text):
    return text.lower()


def describe():
    if config.DEBUG:
        return [k for k in sorted(config.options)]
    return None
