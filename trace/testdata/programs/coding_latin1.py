# -*- coding: latin-1 -*-
# Latin-1 with a coding line: names and strings beyond ASCII.
näme = "café"


def grüße(wer):
    gruß = "hallö " + wer
    return gruß


text = grüße(näme)
n = len(text)
