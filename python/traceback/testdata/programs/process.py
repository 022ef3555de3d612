import multiprocessing


def work(n):
    return 10 // n


if __name__ == "__main__":
    process = multiprocessing.Process(target=work, args=(0,))
    process.start()
    process.join()
