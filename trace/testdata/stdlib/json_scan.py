# json without its C accelerator: the scanner, the decoder and the encoder in Python.
# conformance: addresses
# user: json.scanner json.decoder json.encoder
import sys

for name in ("json", "json.scanner", "json.decoder", "json.encoder"):
    sys.modules.pop(name, None)
sys.modules["_json"] = None
import json

text = '{"a": [1, 2.5, null], "b": {"c": "x\\u00e9\\n"}, "d": true}'
data = json.loads(text)
try:
    json.loads("[1,]")
except ValueError as e:
    where = e.pos
back = json.dumps(data, sort_keys=True)
pretty = json.dumps({"k": [1, {}]}, indent=1)
