import faulthandler
import threading
import time


def wait(seconds):
    time.sleep(seconds)


threading.Thread(target=wait, args=(0.6,)).start()
faulthandler.dump_traceback_later(0.3)
wait(0.6)
