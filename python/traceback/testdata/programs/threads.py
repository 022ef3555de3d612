import threading


def work(n):
    return 10 // n


thread = threading.Thread(target=work, args=(0,), name="Thread-1")
thread.start()
thread.join()
print("done")
