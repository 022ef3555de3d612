import util.text
from util import numbers
from util.text import shout, \
    whisper
import config, empty

config.DEBUG = True
config.options["a"] = 1
print(shout("hi"), whisper("HO"), numbers.double(2))
print(util.text.describe())


def change():
    config.DEBUG = not config.DEBUG
    config.level += 1
    return config.level


n = change() + change()
debug = config.DEBUG
config.new = [n]
back = config.read("new")
del config.options["a"]
print(config.options, config.new)
