a = "🫨"
b = a
