//go:build !unix

package main

import "io/fs"

// othersMayRead is not known from a mode where there are access lists instead.
func othersMayRead(fs.FileMode) bool { return false }
