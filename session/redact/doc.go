// Package redact removes what looks like a secret from a program and its states before they are
// sent to a model. It replaces string literals and values that belong to a name such as password or
// token, and texts that look like a key of a well-known service. A text that was once found to be
// secret is replaced in every other value as well.
//
// How certain it is that a name belongs to a secret is its strength.
//
// Line numbers stay the same: a literal that is replaced in the source keeps its line breaks.
package redact
