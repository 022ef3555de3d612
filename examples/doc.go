// Package examples holds Python programs worth debugging. Each says in its
// docstring what it is and what to look for; bank.py and inventory.py have a
// bug. They are part of the binary, so that there is something to try npdb with
// wherever it is.
package examples
