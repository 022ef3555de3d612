package trace

import "golang.org/x/sys/unix"

// addrNoRandomize is ADDR_NO_RANDOMIZE of personality(2).
const addrNoRandomize = 0x0040000

// withFixedAddresses starts a process whose address layout is not randomized, as with setarch -R. The
// caller has locked the goroutine to its thread. A system that refuses is not an error: then the
// comparison of two runs detects what differs.
func withFixedAddresses(start func() error) error {
	const ask = 0xffffffff
	before, _, failed := unix.RawSyscall(unix.SYS_PERSONALITY, ask, 0, 0)
	if failed == 0 {
		_, _, _ = unix.RawSyscall(unix.SYS_PERSONALITY, before|addrNoRandomize, 0, 0)
		defer func() { _, _, _ = unix.RawSyscall(unix.SYS_PERSONALITY, before, 0, 0) }()
	}
	return start()
}
