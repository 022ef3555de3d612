# Tabs for indentation, and in the middle of a line.
def f(x):
	if x:
		y	=	x
	else:
		y = 0
	return y


a = f(3)
b	= f(0)
