import concurrent.futures


def work(n):
    return 10 // n


if __name__ == "__main__":
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        print(pool.submit(work, 0).result())
