# copy and pickle call __reduce__, __getstate__ and __deepcopy__ of user classes.
# conformance: addresses
import copy
import pickle


class P:
    def __init__(self, x):
        self.x = x

    def __getstate__(self):
        return {"x": self.x}

    def __setstate__(self, state):
        self.x = state["x"] + 1


class Q:
    def __deepcopy__(self, memo):
        return self


p = pickle.loads(pickle.dumps(P(1)))
c = copy.deepcopy(P([1, 2])) if False else copy.copy(P(5))
q = Q()
same = copy.deepcopy([q])[0] is q
