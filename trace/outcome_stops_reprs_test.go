//go:build unix

package trace_test

import (
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeReprsAtStops checks ReprsStops: an object's own __repr__ gives its text where
// a move lands. In states that a move passes over, and after the next move, the object is
// shown by its attributes. Changes made by the __repr__ are recorded.
func TestOutcomeReprsAtStops(t *testing.T) {
	const source = `calls = 0
class Account:
    __slots__ = ("owner",)
    def __init__(self, owner):
        self.owner = owner
    def __repr__(self):
        global calls
        calls += 1
        name = self.owner.title()
        return "<account of " + name + ">"
class Loud:
    def __repr__(self):
        raise ValueError("not ready")
def use(account):
    account.owner = "bob"
    both = [account, {"a": account}]
    account.owner = "eve"
    loud = Loud()
    return both
use(Account("ann"))
print(calls)
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, func(o *trace.Options) { o.Reprs = trace.ReprsStops })
		d.upTo("account.owner = \"bob\"")
		d.wantLocal("account", "<account of Ann>")
		if d.rec.Tree().At(d.at.Event).Edited {
			t.Error("the state is marked as edited")
		}
		d.do(dsl.StepInto)
		d.wantLocal("account", "<account of Bob>")
		d.upTo("loud = Loud()")
		d.wantLocal("both", "[<account of Eve>, {'a': <account of Eve>}]")
		passed := d.at.Event - 1
		d.do(dsl.StepOver)
		d.wantLocal("loud", "Loud()")
		d.wantLocal("account", "<account of Eve>")
		d.do(dsl.InvStepInto)
		d.wantLocal("account", "<account of Eve>") // as it was where the move landed
		d.do(dsl.InvStepInto)
		if d.at.Event != passed {
			t.Fatalf("stands at event %d, want %d", d.at.Event, passed)
		}
		d.wantLocal("account", "Account(owner='bob')")
		d.finish()
		d.wantPrinted("4\n")
	})
}
