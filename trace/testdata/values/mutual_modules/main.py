# Two modules that hold each other's objects.
import store
import view

store.add("one")
names = store.names
screen = view.Screen(store)
screen.draw()
store.add("two")
names.append("main")
screen.draw()
store.reset()
store.add("three")
screen.draw()
print(names, screen.lines, store.names)
