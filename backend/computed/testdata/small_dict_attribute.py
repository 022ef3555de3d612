class T:
    def __init__(self, a):
        self.a = a
    def __dict__(self):
        return {}
t = T(1)
