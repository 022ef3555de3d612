//go:build unix

package main

import "io/fs"

// othersMayRead tells whether a file of this mode can be read by its group or by
// anybody.
func othersMayRead(mode fs.FileMode) bool { return mode.Perm()&0o044 != 0 }
