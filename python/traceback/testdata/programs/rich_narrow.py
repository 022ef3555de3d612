import rich.traceback

import shop

rich.traceback.install(show_locals=True, width=40)
shop.total([("a_rather_long_name_of_a_fruit", 0)])
