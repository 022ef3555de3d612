@staticmethod
def unused():
    pass


ready = True
