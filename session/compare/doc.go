// Package compare compares a predicted state with the real one, field by field and value by value.
// It has no state and reads no files: its only inputs are two replies and a set of rules.
//
// A value is given as text, its repr. If two texts differ, rules may treat them as equal: for
// example two orders of a set, or two addresses of an object. Each rule can be switched off, and a
// verdict names the rules that it needed. docs/comparison.md describes fields, verdicts and rules
// for users.
//
// Verdicts and sentences contain text from a model and from the program. Escape it before it
// reaches a terminal.
package compare
