# configparser: a long parsing function, interpolation, nested mappings.
# conformance: history
# user: configparser
import sys

sys.modules.pop("configparser", None)
import configparser

text = "[paths]\nhome = /h\ndocs = %(home)s/docs\n\n[flags]\non = yes\nn = 3\n"
cp = configparser.ConfigParser()
cp.read_string(text)
docs = cp["paths"]["docs"]
on = cp.getboolean("flags", "on")
n = cp.getint("flags", "n", fallback=0)
names = cp.sections()
missing = cp.has_option("flags", "off")
