package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Users are numbers for users that no account has, and the command that takes one. Two npdb
// at a time have others, but where the name space has few.
type Users struct {
	setpriv string
	userRange
}

// FindUsers finds which users processes can be given; nil where they cannot: it takes root
// and setpriv(1).
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

// Number returns the i-th user; after the last one they begin again.
func (u *Users) Number(i int) int { return u.first + i%u.count }

// As returns the command that has what follows it run as a user, without privileges.
func (u *Users) As(user int) []string {
	id := strconv.Itoa(user)
	return []string{u.setpriv, "--reuid", id, "--regid", id, "--clear-groups", "--inh-caps=-all", "--no-new-privs"}
}

// userRange is numbers for users, of which none is taken.
type userRange struct{ first, count int }

// mappedUsers returns a range of numbers that this user namespace has
// (user_namespaces(7)): far from all that are given out, or those of systemd's
// dynamic users.
func mappedUsers() userRange {
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return userRange{}
	}
	const block = 1 << 12 // for each server, by its process's number
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
