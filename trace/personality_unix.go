//go:build unix && !linux

package trace

// withFixedAddresses starts a process. Only Linux can fix its address layout.
func withFixedAddresses(start func() error) error { return start() }
