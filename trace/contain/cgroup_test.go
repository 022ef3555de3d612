//go:build linux

package contain

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// groups returns a directory with the files of control groups. For the groups of programs
// the kernel would create these files.
func groups(t *testing.T, controllers string, dirs ...string) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, dir := range dirs {
		dir = filepath.Join(root, dir)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{
			"cgroup.controllers": controllers, members: "", handedOn: "", "memory.max": "max\n", "memory.swap.max": "max\n", "memory.oom.group": "0\n", "pids.max": "max\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// TestControlGroup checks that the server moves into a subgroup and enables the
// controllers, and that a program's group has its limits before the program joins it.
func TestControlGroup(t *testing.T) {
	pid := strconv.Itoa(os.Getpid())
	program := programGroup + pid + "-1"
	root := groups(t, "cpu memory pids\n", "a.scope", "a.scope/"+serverGroup, "a.scope/x")
	for _, self := range []string{"0::/a.scope\n", "3:cpu:/\n0::/a.scope/" + serverGroup + "\n"} {
		g, err := findControlGroup(root, self)
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, root, "a.scope", serverGroup, members); got != pid {
			t.Errorf("%q is in the server's group, want %s", got, pid)
		}
		if got := read(t, root, "a.scope", handedOn); got != "+memory +pids" {
			t.Errorf("%q is handed on", got)
		}
		// The kernel would create a group's files; here a link to a group that has them
		// replaces it.
		if _, err := g.add(Limits{Total: 1 << 20, Processes: 3}); err == nil {
			t.Error("a group without its files is taken for one")
		}
		if _, err := os.Stat(filepath.Join(root, "a.scope", program)); !os.IsNotExist(err) {
			t.Error("what could not be made is left: ", err)
		}
	}
	dir := filepath.Join(root, "a.scope", "x")
	if err := limitGroup(dir, Limits{Total: 5 << 20, Processes: 3}); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"memory.max": "5242880", "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "11"} {
		if got := read(t, dir, file); !strings.HasPrefix(got, want) {
			t.Errorf("%s is %q, want %s", file, got, want)
		}
	}
	said, err := exec.Command("/bin/sh", append(joinGroup(dir)[1:], "echo", "joined")...).CombinedOutput()
	if string(said) != "joined\n" || read(t, dir, members) != "0" {
		t.Errorf("%s, %v; members are %q", said, err, read(t, dir, members))
	}
	if said, err := exec.Command("/bin/sh", append(joinGroup(root + "/none")[1:], "echo", "joined")...).CombinedOutput(); err == nil {
		t.Errorf("without its group it runs: %s", said)
	}
}

// TestControlGroupIsNotHad checks that nothing changes if the group is not the server's
// own.
func TestControlGroupIsNotHad(t *testing.T) {
	for _, c := range []struct{ name, controllers, self, want string }{
		{"version 1", "memory pids", "4:memory:/a\n", "no control groups of version 2"},
		{"another hierarchy has it", "hugetlb", "0::/a\n", `lacks the controller "memory"`},
		{"not mounted", "", "0::/elsewhere\n", "cannot be read"},
		{"others are in it", "memory pids", "0::/a\n", "not the server's own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := groups(t, c.controllers, "a")
			// The kernel refuses to enable controllers for the subgroups of a group with
			// processes.
			if err := os.Remove(filepath.Join(root, "a", handedOn)); err != nil {
				t.Fatal(err)
			}
			g, err := findControlGroup(root, c.self)
			if g != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want %q", g, err, c.want)
			}
			if _, err := os.Stat(filepath.Join(root, "a", serverGroup)); !os.IsNotExist(err) {
				t.Error("the server's group is left: ", err)
			}
		})
	}
}
