package doctor

import (
	"context"
	"os/exec"
	"runtime"

	"github.com/npdb/npdb/internal/sandbox"
	"github.com/npdb/npdb/trace/contain"
)

// containment returns facts about the sandbox of npdb serve and npdb dataset, and whether
// a program starts in it.
func (g *Given) containment(ctx context.Context) []Fact {
	var facts []Fact
	if runtime.GOOS == "linux" { // other systems have no such features
		facts = append(facts, bubblewrap(), namespaces(), seccomp(ctx))
	}
	named, _ := g.named()
	return append(facts, contained(ctx, named)...)
}

func bubblewrap() Fact {
	f := Fact{Name: "bubblewrap", Mark: Right, Value: true}
	b, err := sandbox.FindBwrap(sandbox.FindUsers() != nil)
	if err != nil {
		f.Mark, f.Text, f.Do, f.Value = Note, err.Error(), "install the package bubblewrap", false
		return f
	}
	f.Text = b.Path()
	return f
}

// namespaces checks whether the current user may create a user namespace. Without it
// bubblewrap only works for root.
func namespaces() Fact {
	f := Fact{Name: "user namespaces", Mark: Right, Text: "allowed", Value: true}
	if err := sandbox.TryUserNamespace(); err != nil {
		f.Mark, f.Text, f.Value = Note, "not allowed: "+err.Error(), false
		f.Do = "allow them: sysctl kernel.apparmor_restrict_unprivileged_userns=0 or kernel.unprivileged_userns_clone=1; in a container, its own options"
	}
	return f
}

// seccomp checks whether the kernel accepts a filter of system calls.
func seccomp(ctx context.Context) Fact {
	f := Fact{Name: "seccomp", Mark: Right, Text: "filters of system calls work", Value: true}
	confining := sandbox.Confining()
	if confining == nil {
		return Fact{Name: "seccomp", Mark: Note, Text: "npdb knows no filter of system calls for " + runtime.GOARCH, Value: false}
	}
	if said, err := exec.CommandContext(ctx, confining[0], append(confining[1:], "true")...).CombinedOutput(); err != nil {
		f.Mark, f.Text, f.Value = Note, "a filter of system calls is not taken: "+err.Error(), false
		if len(said) > 0 {
			f.Text = lastLine(string(said))
		}
		f.Do = "in a container or under another filter, allow seccomp(2) and prctl(2)"
	}
	return f
}

// contained runs a program in the strongest containment available.
func contained(ctx context.Context, python string) []Fact {
	c, err := contain.New(ctx, python, contain.Auto, contain.Limits{})
	if err != nil {
		return []Fact{{Name: "trial", Mark: Wrong, Text: err.Error(), Do: "npdb serve and npdb dataset do not start; debugging needs none of it", Value: false}}
	}
	defer c.Close()
	f := Fact{Name: "trial", Mark: Right, Text: "a program runs contained, in " + c.Level().String(), Value: c.Level().String()}
	if w := c.Warning(); w != "" {
		f.Mark, f.Text = Note, w
	}
	// A missing control group is not a fault: few systems have one, and programs run without it.
	together := Fact{Name: "control group", Mark: Right, Text: "limits a program's processes together", Value: "there"}
	if _, why := c.ControlGroup(); why != nil {
		together.Text, together.Value = "none: a program's processes are limited one by one", why.Error()
	}
	return []Fact{f, together}
}
