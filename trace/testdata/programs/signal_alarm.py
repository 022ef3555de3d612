# SIGALRM of a timer, held back until the program is ready for it.
# conformance: addresses
import signal
import time

hits = 0


def on_alarm(signum, frame):
    global hits
    hits += 1
    del frame


signal.signal(signal.SIGALRM, on_alarm)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
signal.setitimer(signal.ITIMER_REAL, 0.001)
time.sleep(0.03)
old = len(signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM]))
after = hits
