package compare

import (
	"fmt"
	"slices"
)

// Field is a part of a reply that is compared by itself.
type Field uint8

// The fields, in the order in which verdicts list them.
const (
	Outcome Field = iota + 1
	Event
	Line
	Function
	Stack
	Local
	Value
	ExitCode
	ExitException
)

// named is a name with its description for users.
type named struct{ name, doc string }

var fieldTable = [...]named{
	Outcome:       {"outcome", "a state, the end of the program, the start, or no answer. Where it differs there is nothing to lay side by side, and no other field is judged"},
	Event:         {"event", "`call`, `line`, `exception`, and of returns the kind too: `return`, `yield`, `unwind`"},
	Line:          {"line", "the file and the line number"},
	Function:      {"function", "the name of the function (`co_name`)"},
	Stack:         {"stack", "how many activations there are, and of those below the state's own the function, the file and the line where both know it"},
	Local:         {"local", "each local by its name; a real hidden one (dunders, modules, functions, classes) is left out"},
	Value:         {"value", "what is returned or yielded, or the exception"},
	ExitCode:      {"exit-code", "at the end: the exit status"},
	ExitException: {"exit-exception", "at the end: the exception that nothing caught"},
}

// Fields returns all fields in the order of verdicts.
func Fields() []Field {
	list := make([]Field, 0, len(fieldTable)-1)
	for f := Outcome; int(f) < len(fieldTable); f++ {
		list = append(list, f)
	}
	return list
}

// String returns the field's name, for example "exit-code".
func (f Field) String() string {
	if f == 0 || int(f) >= len(fieldTable) {
		return fmt.Sprintf("Field(%d)", uint8(f))
	}
	return fieldTable[f].name
}

// Doc returns a description of the field for users.
func (f Field) Doc() string { return fieldTable[f].doc }

// MarshalText writes the field's name.
func (f Field) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads the field's name.
func (f *Field) UnmarshalText(text []byte) error {
	i, err := find(fieldTable[:], "field", text)
	*f = Field(i)
	return err
}

// Kind is the result of a comparison.
type Kind uint8

// The kinds of verdicts.
const (
	Same Kind = iota + 1
	Differs
	Missing
	Extra
	Incomparable
)

var kindTable = [...]named{
	Same:         {"same", "the texts are equal, or the rules that the verdict names make them so"},
	Differs:      {"differs", "no rule explains the difference"},
	Missing:      {"missing", "the real state has it, the predicted one has not. An answer that declines is a missing outcome"},
	Extra:        {"extra", "the predicted state has it, the real one has not"},
	Incomparable: {"incomparable", "what can be compared is the same, but a part cannot be: the verdict says why"},
}

// Kinds returns all kinds of verdicts.
func Kinds() []Kind { return []Kind{Same, Differs, Missing, Extra, Incomparable} }

// String returns the kind's name, for example "differs".
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindTable) {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindTable[k].name
}

// Doc returns a description of the kind for users.
func (k Kind) Doc() string { return kindTable[k].doc }

// Wrong reports whether the predicted field is wrong: it differs, is missing or is extra.
func (k Kind) Wrong() bool { return k == Differs || k == Missing || k == Extra }

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the kind's name.
func (k *Kind) UnmarshalText(text []byte) error {
	i, err := find(kindTable[:], "kind of verdict", text)
	*k = Kind(i)
	return err
}

func find(table []named, what string, text []byte) (int, error) {
	for i, n := range table {
		if n.name != "" && n.name == string(text) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("there is no %s %q", what, text)
}

// Verdict is the result of comparing one field.
type Verdict struct {
	Field     Field  `json:"field"`
	Name      string `json:"name,omitempty"` // a local's name, else ""
	Kind      Kind   `json:"kind"`
	Predicted string `json:"predicted"` // the predicted text, "" if Kind is Missing
	Real      string `json:"real"`      // the real text, "" if Kind is Extra
	// Rule names the rules that were needed to find the texts the same, joined by ", ".
	Rule string `json:"rule,omitempty"`
	// Reason explains why Kind is Incomparable.
	Reason string `json:"reason,omitempty"`
	// Own names the call that the real value comes from, if that differs from run to run:
	// "time.time()". It does not change the verdict.
	Own string `json:"own,omitempty"`
	// PredictedAt and RealAt are byte offsets: where the first unexplained difference begins, if
	// Kind is Differs.
	PredictedAt int `json:"-"`
	RealAt      int `json:"-"`
}

// Verdicts holds the verdicts on one reply, in the order of fields. Locals are in the order of the
// real state; an extra local follows the local that precedes it in the prediction.
type Verdicts []Verdict

// Same reports whether every verdict is Same, so that the whole prediction is right. It returns
// false if there are no verdicts.
func (v Verdicts) Same() bool {
	for i := range v {
		if v[i].Kind != Same {
			return false
		}
	}
	return len(v) > 0
}

// Untold returns the verdicts for a model whose dialect cannot express locals here: missing locals
// become Incomparable instead of wrong.
func (v Verdicts) Untold() Verdicts {
	out := slices.Clone(v)
	for i := range out {
		if out[i].Field == Local && out[i].Kind == Missing {
			out[i].Kind, out[i].Reason = Incomparable, "the model's language tells no locals here"
		}
	}
	return out
}

// First returns the first verdict that is wrong.
func (v Verdicts) First() (Verdict, bool) {
	for i := range v {
		if v[i].Kind.Wrong() {
			return v[i], true
		}
	}
	return Verdict{}, false
}

// Count returns the number of wrong verdicts.
func (v Verdicts) Count() int {
	n := 0
	for i := range v {
		if v[i].Kind.Wrong() {
			n++
		}
	}
	return n
}

// Of returns the verdict on a field. Use Local for locals, of which there may be several.
func (v Verdicts) Of(f Field) (Verdict, bool) {
	for i := range v {
		if v[i].Field == f {
			return v[i], true
		}
	}
	return Verdict{}, false
}

// Local returns the verdict on the local with this name.
func (v Verdicts) Local(name string) (Verdict, bool) {
	for i := range v {
		if v[i].Field == Local && v[i].Name == name {
			return v[i], true
		}
	}
	return Verdict{}, false
}
