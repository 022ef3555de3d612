# raise SystemExit with a status that does not fit in eight bits.
code = 256 + 7
raise SystemExit(code)
