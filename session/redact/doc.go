// Package redact takes out of a program and its states what looks like a secret, before a
// model is told of them: string literals and values whose names say password, token and
// the like, and those that have the form of a well-known key, wherever they stand. What
// was found to be a secret once is taken out of every other value as well.
//
// Lines stay lines: what is taken out of the source leaves its line breaks there, so that a
// line of what is sent and the same line of the true source have one number.
package redact
