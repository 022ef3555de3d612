// Package claims finds the claims in a model's explanation of a run that npdb can check: that an event exists,
// that an event is at a line, or that an expression has a value at an event. A model writes claims as code in
// backquotes:
//
//	`#105`                 event 105 exists
//	`#105 bank.py:41`      event 105 is at that line; also "#105 call bank.py:41 in transfer"
//	`#105 total = 660`     total is 660 at event 105
//	`total = 660`          total is 660 at the shown state
//
// A number without backquotes, such as #105, is a claim too. Everything else is text. This package does not read
// recordings: package session checks the claims.
package claims
