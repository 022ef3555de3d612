# coding: latin-1
name = "café"

def f():
	return name

f()g = 1
if g:
    f()