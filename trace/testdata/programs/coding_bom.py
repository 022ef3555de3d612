# A byte order mark before the first line.
word = "漢字"
n = len(word)
