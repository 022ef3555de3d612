class Box:
    def __del__(self):
        self.empty()

    def empty(self):
        raise RuntimeError("not empty")


box = Box()
del box
