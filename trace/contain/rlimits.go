package contain

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// script returns the commands that /bin/sh runs before it executes the interpreter. In a
// sandbox it first copies the program's files, if copies is set; then it sets its own limits. Units
// are those of POSIX ulimit. For the number of processes bash uses -u, dash -p.
func (c *Containment) script(copies bool) string {
	var b strings.Builder
	b.WriteString("set -e\n")
	if c.level == Bubblewrap && copies {
		b.WriteString("cp -R " + source + "/. .\nchmod -R a+rwX .\n")
	}
	const block, kib = 512, 1024
	cpu := int64((c.limits.CPU + time.Second - 1) / time.Second)
	fmt.Fprintf(&b, "ulimit -c 0\nulimit -St %d\nulimit -Ht %d\n", cpu, cpu+1)
	fmt.Fprintf(&b, "ulimit -f %d\nulimit -n %d\n", c.limits.FileSize/block, c.limits.Files)
	if runtime.GOOS != "darwin" { // macOS has no such limit
		fmt.Fprintf(&b, "ulimit -v %d\n", c.limits.Memory/kib)
	}
	n := c.limits.Processes + c.others()
	fmt.Fprintf(&b, "ulimit -u %d 2>/dev/null || ulimit -p %d\n", n, n)
	b.WriteString(`exec "$@"`)
	return b.String()
}

// others returns the number of processes and threads that the system counts towards the
// program's limit, although they are not the program's. These are the processes of this user,
// unless the program has its own user or, since Linux 5.14, its own user namespace.
func (c *Containment) others() int {
	if c.users != nil || c.level == Bubblewrap && countsByNamespace() {
		return 0
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		const unknown = 4096
		return unknown
	}
	uid, n := fmt.Sprintf("\nUid:\t%d\t", os.Getuid()), 0
	for _, e := range entries {
		if name := e.Name(); name[0] < '0' || name[0] > '9' {
			continue
		}
		status, err := os.ReadFile("/proc/" + e.Name() + "/status")
		if err != nil || !strings.Contains(string(status), uid) {
			continue
		}
		var threads int
		if _, rest, ok := strings.Cut(string(status), "\nThreads:\t"); ok {
			_, _ = fmt.Sscan(rest, &threads)
		}
		n += threads
	}
	return n
}

// countsByNamespace reports whether the kernel counts a user's processes separately in
// each user namespace.
func countsByNamespace() bool {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return false
	}
	var major, minor int
	if n, _ := fmt.Sscanf(string(release), "%d.%d", &major, &minor); n != 2 {
		return false
	}
	return major > 5 || major == 5 && minor >= 14
}
