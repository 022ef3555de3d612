// Package compare lays a predicted state beside the real one, field by field and
// value by value. It is pure: it reads two replies and a set of rules, and knows
// neither files nor sessions.
//
// A value is its text. Where two texts differ, rules may say that they stand for
// the same: two orders of a set, two addresses of an object. Each rule can be
// switched off, and a verdict names the rules that it needed. docs/comparison.md
// describes fields, verdicts and rules for the user.
//
// Texts in verdicts and sentences are a model's and a program's own: escape them
// before they reach a terminal.
package compare
