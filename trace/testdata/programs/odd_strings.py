# Surrogates, controls, quotes, bidi marks and bytes.
lone = "\ud800"
pair = "a\udfffb"
control = "\x00\x1b[31m\x7f\x85"
bidi = "\u202etxet\u202c"
quotes = "'\"" + '"""'
slashes = "\\n\\u0041"
wide = "\U0001f600é漢"
raw = b"\x00\xff'" + bytearray(b"x")
keys = {lone: 1, "": 2}
dots = ".."
token = "<|frame_sep|>"


def echo(s):
    return s


same = echo(lone) == lone
back = echo(control)
