import rich.traceback

rich.traceback.install(width=80, extra_lines=1)
import chained
