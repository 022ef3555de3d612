__all__ = ("beta", "epsilon")
beta = "more"
zeta = 1
epsilon = [beta] * 2
