# textwrap: regular expressions, a chunk loop, keyword arguments.
# user: textwrap
import sys

sys.modules.pop("textwrap", None)
import textwrap

text = "The quick  brown fox-like thing jumped over\nextraordinarily long words."
lines = textwrap.wrap(text, width=14)
filled = textwrap.fill(text, 20, initial_indent="* ", subsequent_indent="  ")
short = textwrap.shorten(text, 18)
flat = textwrap.dedent("    a\n      b\n    c\n")
indented = textwrap.indent("a\n\nb", "> ")
