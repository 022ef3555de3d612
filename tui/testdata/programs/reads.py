greeting = "Hello,"
print("Who are you?")
name = input("name: ")
print(greeting, name)
