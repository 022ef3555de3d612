from .shelf import Shelf
from . import sums as _sums

total = _sums.total
