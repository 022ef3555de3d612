# multiprocessing by fork: the worker's activations are not ours.
# conformance: nolocals
import multiprocessing


def square(conn, n):
    conn.send(n * n)
    conn.close()


def run(n):
    ctx = multiprocessing.get_context("fork")
    here, there = ctx.Pipe()
    p = ctx.Process(target=square, args=(there, n))
    p.start()
    answer = here.recv()
    p.join()
    code = p.exitcode
    del ctx, here, there, p
    return answer, code


if __name__ == "__main__":
    answer = run(7)
