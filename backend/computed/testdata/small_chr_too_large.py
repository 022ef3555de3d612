try:
    chr(10 ** 20)
except (ValueError, OverflowError) as e:
    m = str(e)
