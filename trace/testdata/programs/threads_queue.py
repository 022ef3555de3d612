# A worker thread answers through a queue; the main thread calls the same function itself.
# conformance: nolocals
import queue
import threading


def double(x):
    return 2 * x


def serve(inbox, outbox):
    while True:
        item = inbox.get()
        if item is None:
            return
        outbox.put(double(item))


inbox, outbox = queue.Queue(), queue.Queue()
t = threading.Thread(target=serve, args=(inbox, outbox), daemon=True)
t.start()
answers = []
for i in range(3):
    inbox.put(i)
    answers.append(outbox.get())
inbox.put(None)
t.join()
mine = double(10)
del inbox, outbox, t
