// Package examples holds Python programs worth debugging. Each says in its
// docstring what it is and what to look for; bank.py and inventory.py have a
// bug. The Go side of it only tests that they do what they say.
package examples
