package tui

import "testing"

// branching makes a session in neural mode with three branches, and focuses the history.
func branching(t *testing.T, w, h int) *driver {
	otherwise := `<|return_sep|>{"x": "..", "y": "10"}<|action_sep|>3|    return y` + "\n<|arg_sep|>\"10\"<|frame_sep|>"
	p := &scripted{replies: []string{atCall, inF, atY, atReturn, otherwise, `<|end_sep|>{"code": 0}<|frame_sep|>`}}
	d := drive(t, w, h, predicted(t, "double.py", p))
	d.press("s", "s", "s", "s") // #2 to #5
	d.command("mark seen")
	d.press("z")
	d.command("y = 9") // #6
	d.press("s")       // #7
	d.command("goto #3")
	d.press("c") // #8
	d.command("goto #7")
	d.press("5")
	return d
}

// TestBranchesScene checks how the history draws branches at each size, and the difference of two
// states.
func TestBranchesScene(t *testing.T) {
	d := branching(t, 120, 36)
	t.Run("history", d.everySize)
	d.press("G", "=")
	t.Run("difference", d.everySize)
}

// TestHistoryKeys checks the keys of the history: they show, mark, compare and prune the selected
// state.
func TestHistoryKeys(t *testing.T) {
	d := branching(t, 80, 24)
	d.shows("#7 of 8 states, 3 branches")
	d.press("k", "m")
	if got := d.m.line.Text(); got != "mark #6 " {
		t.Fatalf("mark types %q", got)
	}
	d.write("edit")
	d.press("enter")
	d.shows("[edit]")
	d.press("=")
	d.shows("difference")
	d.shows("there edit #6")
	if v := d.m.screen.View; v.Difference == nil || v.Difference.Visit.Number != 6 {
		t.Fatalf("difference %+v", v.Difference)
	}
	d.press("x")
	d.showsNot("there edit #6")
	d.press("x")
	d.shows("there edit #6")
	d.press("g", "enter") // another state ends the comparison
	d.showsNot("there edit #6")
	if v := d.m.screen.View; v.History[v.Shown].Number != 1 || v.Difference != nil {
		t.Errorf("#%d is shown", v.History[v.Shown].Number)
	}
	d.press("j", "j", "j", "D") // the first branch
	d.shows("Pruned #8.")
	d.press("D")
	d.shows("prune -u")
	if n := len(d.m.screen.View.History); n >= 7 {
		t.Errorf("%d states are left", n)
	}
	d.press("U", "U")
	if n := len(d.m.screen.View.History); n != 8 {
		t.Errorf("%d states are there again", n)
	}
	d.press("g", "D") // what leads to the shown state stays
	d.shows("leads to the shown state")
}

// TestDifferenceInRealMode checks that even without a model, the comparison with another state replaces
// the locals while that state is shown.
func TestDifferenceInRealMode(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press("n", "n")
	d.command("diff #1")
	d.shows("there #1")
	d.press("X")
	d.shows("the score is back at the next stop")
	d.press("n")
	d.showsNot("there #1")
	if d.m.besides() {
		t.Error("the view stays open")
	}
}
