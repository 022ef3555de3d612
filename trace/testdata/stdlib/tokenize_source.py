# tokenize: a generator as large as a module (to 3.11), or one over the C tokenizer.
# user: tokenize
import io
import sys

sys.modules.pop("tokenize", None)
import tokenize

source = "def f(x):\n    return x + 1  # c\n"
kinds = [tokenize.tok_name[t.type] for t in tokenize.generate_tokens(io.StringIO(source).readline)]
back = tokenize.untokenize([(tokenize.NAME, "a"), (tokenize.OP, "+"), (tokenize.NUMBER, "1")])
encoding = tokenize.detect_encoding(io.BytesIO(b"# coding: latin-1\n").readline)[0]
