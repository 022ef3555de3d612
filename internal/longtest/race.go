//go:build race

package longtest

// Race reports whether the race detector is on. It multiplies memory, and sync.Pool then drops values.
const Race = true
