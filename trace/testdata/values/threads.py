# A thread that changes what the main thread's names hold, while that waits.
# conformance: nolocals
import threading

shared = []
lock = threading.Lock()


def work(n):
    for i in range(n):
        with lock:
            shared.append(i)


def main():
    mine = shared
    threads = [threading.Thread(target=work, args=(n,)) for n in (3, 4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    done = sorted(mine)
    mine.clear()
    return done


done = main()
shared.append("end")
print(done, shared)
