import concurrent.futures

import futures


def test_work():
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        assert pool.submit(futures.work, 0).result() == 1
