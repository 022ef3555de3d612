package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Users is a range of user ids that belong to no account, and the command that changes to one of
// them. Two npdb processes use different ids, unless the namespace has only few.
type Users struct {
	setpriv string
	userRange
}

// FindUsers returns user ids to which processes can change, or nil if that is not possible. It
// requires root and setpriv(1).
func FindUsers() *Users {
	if os.Geteuid() != 0 {
		return nil
	}
	path, err := exec.LookPath("setpriv")
	users := mappedUsers()
	if err != nil || users.count == 0 {
		return nil
	}
	return &Users{setpriv: path, userRange: users}
}

// Number returns the i-th user id. After the last id it starts again with the first one.
func (u *Users) Number(i int) int { return u.first + i%u.count }

// As returns a command prefix that runs a command as a user, without privileges.
func (u *Users) As(user int) []string {
	id := strconv.Itoa(user)
	return []string{u.setpriv, "--reuid", id, "--regid", id, "--clear-groups", "--inh-caps=-all", "--no-new-privs"}
}

// userRange is a range of unused user ids.
type userRange struct{ first, count int }

// mappedUsers returns a range of ids that exist in this user namespace (user_namespaces(7)): far
// from all usual ids, or else those of systemd's dynamic users.
func mappedUsers() userRange {
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return userRange{}
	}
	const block = 1 << 12 // ids for each server, selected by its process id
	for _, r := range []userRange{{0x60000000 + os.Getpid()&0xffff*block, block}, {61184, 65519 - 61184}} {
		for line := range strings.Lines(string(text)) {
			var inside, outside, count int
			if n, _ := fmt.Sscan(line, &inside, &outside, &count); n == 3 && inside <= r.first && r.first+r.count <= inside+count {
				return r
			}
		}
	}
	return userRange{}
}
