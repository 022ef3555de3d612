// Package values takes the text of a Python value apart: what it consists of,
// one line that says most of it, where it differs from another, and where in it
// something is found.
//
// The text is a repr, which anyone may have written. Nothing here fails on one:
// what cannot be taken apart is one piece.
package values
