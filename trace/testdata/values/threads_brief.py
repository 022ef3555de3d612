# Threads that begin and end within one line, and change what no name of that line reaches.
import _thread
from concurrent.futures import ThreadPoolExecutor

changed = []


class Box:
    n = 0


box = Box()
begin = _thread.start_new_thread


def work(n):
    changed.append(n)
    box.n = n


def pooled():
    for i in range(10):
        ThreadPoolExecutor(1).submit(work, i).result()
        n = len(changed)
    return n


def waited():
    lock = _thread.allocate_lock()
    lock.acquire()

    def job(n):
        work(n)
        lock.release()

    for i in range(10):
        begin(job, (i,)); lock.acquire()
        n = len(changed)
    for i in range(10):
        _thread.start_new_thread(job, (i,)); lock.acquire()
        n = len(changed)
    return n


pooled()
waited()
last = changed[-1], box.n
