import first
from second import later

value = first.go(2)
print(later(), first.second.first is first)
