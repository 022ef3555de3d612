import multiprocessing


def work(n):
    return 10 // n


if __name__ == "__main__":
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 0]))
