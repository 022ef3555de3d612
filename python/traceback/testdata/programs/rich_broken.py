import rich.traceback

rich.traceback.install(width=80)
import broken
