// Package examples contains Python programs for trying npdb. The docstring of each says
// what it does and what to look for; bank.py and inventory.py have a bug. The programs are
// part of the binary, so that they are available wherever npdb is.
package examples
