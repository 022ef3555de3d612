class H:
    @staticmethod
    def rot(x):
        return x + 1
    def run(self, w):
        for i in range(3):
            w[i] = self.rot(w[i])
H().run([1, 2, 3])
