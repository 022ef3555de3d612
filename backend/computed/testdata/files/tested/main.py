"""A test and the module that it tests."""
import stats


def test_scale():
    scaled = stats.scale([1, 2, 4], 100)
    assert scaled == [25.0, 50.0, 100.0]


def test_mean():
    assert stats.mean([1, 2, 3]) == 2
    assert stats.mean([]) == 0


def run(tests):
    failed = []
    for test in tests:
        try:
            test()
        except AssertionError:
            failed.append(test.__name__)
        except ValueError as e:
            failed.append(f"{test.__name__}: {e}")
    return failed


def test_empty():
    assert stats.scale([], 1) == []


failed = run([test_scale, test_mean, test_empty])
print(failed)
stats.scale([], 100)
