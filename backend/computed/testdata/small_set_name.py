class F:
    def __set_name__(self, owner, name):
        self.name = name
class M:
    x = F()
y = 1
