try:
    v = "%5%" % 1
except (ValueError, TypeError) as e:
    m = str(e)
