def load():
    import broken

    return broken


load()
