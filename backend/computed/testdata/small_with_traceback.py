class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, kind, exc, tb):
        return True
with Quiet():
    1 / 0
