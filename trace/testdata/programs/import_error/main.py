# A module that fails while it is imported: caught once, and once a syntax error.
# A name that is half there after a circular import.
try:
    import broken
except ZeroDivisionError as e:
    first = str(e)[:8]
try:
    import unparsable
except SyntaxError as e:
    second = e.lineno
import circle_a

third = circle_a.value
