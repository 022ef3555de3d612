//go:build !linux || !(amd64 || arm64)

package sandbox

// syscallFilter returns nil: npdb has no filter for this system.
func syscallFilter(bool) []byte { return nil }

// Alone returns nil: npdb has no filter for this system.
func Alone() (program []byte, pids []int) { return nil, nil }
