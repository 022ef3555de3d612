package session_test

import (
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

const (
	oneSource = ": this needs side-by-side mode: mode both, or --mode both at the start"
	noModel   = ": no model is asked in real mode, every state is CPython's"
	overHere  = "*** The program is over, so there is no frame here; rs goes back to its last event"
	behind    = "; this is event 10, the program waits at event 15 (goto 100% goes there)"
	unchanged = ": a recording cannot be changed, only the live program can run code"
)

// TestRefusedWithoutAModel checks that commands that need a model are refused without one.
func TestRefusedWithoutAModel(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	const none = ": there is no model to ask: give the address of its server with --base-url, or base_url in the configuration"
	answers(t, s,
		"mode", "real",
		"mode real", "real",
		"mode both", "*** mode both"+none,
		"mode neural", "*** mode neural"+none,
		"walk", "*** walk"+oneSource,
		"walk free", "*** walk"+oneSource,
		"resync", "*** resync"+oneSource,
		"score", "*** score"+oneSource,
		"divergence", "*** divergence"+oneSource,
		"raw", "*** raw"+noModel,
		"retry", "*** retry"+noModel,
		"export x", "*** Nothing was predicted yet that could be exported (marks and logpoints are exported to FILE.md)",
	)
}

// TestRefusedBehindTheEdge checks that before the live edge commands that need the program
// are refused with the way to it, while recorded values are shown.
func TestRefusedBehindTheEdge(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	answers(t, s,
		"s 15", "--Call--\n> PROG(1)f()\n-> def f(x):",
		"goto 10", "> PROG(2)f()\n-> y = x + 1",
		"interact", "*** interact"+unchanged+behind,
		"jump 3", "*** jump"+unchanged+behind,
		"debug f(1)", "*** debug f(1)"+unchanged+behind,
		"info threads", "* MainThread (recorded): prog.py:2 in f\nThis is the past: only the recorded thread is known there.",
		"!x = 1", "*** x = 1"+unchanged+behind,
		"p $_retval", "*** $_retval: convenience variables are Python's objects"+behind,
		"p open", "*** open: is a builtin that has effects, or needs more than the texts of values"+behind,
		"source nothing", "*** source nothing: it is no function of prog.py"+behind,
		"source f", "  1  \tdef f(x):\n  2  \t    y = x + 1\n  3  \t    return y",
		"p x", "1",
		"p i", "1 (from recorded text of <module>, line 6)",
		"p x + 0", "1 (from recorded text)",
		"whatis x", "<class 'int'> (from recorded text)",
		"pp x", "1 (from recorded text)",
		"p nothing", "*** NameError: name 'nothing' has no value here (from recorded text)",
		"p x ===", "*** SyntaxError: invalid syntax (from recorded text)",
		"goto 12", "--Return--\n> PROG(3)f()->2\n-> return y",
		"p $_retval", "2",
		"retval", "2",
		"up", "> PROG(6)<module>()\n-> f(i)",
		"retval", "*** Not yet returned!",
	)
}

// TestRefusedAtTheEnd checks that at the program's end there is no frame, and that commands which run code are refused.
func TestRefusedAtTheEnd(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	const over = ": the program is over (restart runs it again)"
	const ended = "The program finished. Exit code: 0\nBackward moves (rs, rn, rf, rc) still work; restart runs it again."
	answers(t, s, "c", "2\n"+ended)
	for _, line := range []string{"w", "u", "d", "l", "ll", "args", "retval", "p i", "pp i", "display", "display i", "undisplay", "until", "until 3", "reverse-until 3"} {
		answers(t, s, line, overHere)
	}
	answers(t, s,
		"info threads", "*** info threads"+over,
		"interact", "*** interact"+over,
		"jump 2", "*** jump"+over,
		"debug f(1)", "*** debug f(1)"+over,
		"x = 1", "*** x = 1"+over,
		"advance 99", "End of file",
		"source f", "  1  \tdef f(x):\n  2  \t    y = x + 1\n  3  \t    return y",
		"source nothing", "*** source nothing: it is no function of prog.py; the program is over, so only what was recorded is left (restart runs it again)",
		"output", "2",
		"watch i", "Watchpoint 1: i, 2 now",
		"last i", "i: 1 -> 2\n> PROG(5)<module>()\n-> for i in range(3):\ngoto 13 goes to that line, goto 14 after it",
		"s", ended,
		"goto 22", "*** The recording ends at event 21",
		"goto 21", "--Return--\n> PROG(7)<module>()->None\n-> print(i)",
		"goto 50%", "> PROG(2)f()\n-> y = x + 1",
		"output", "",
		"interact", "*** interact"+unchanged+"; the program is over, so only what was recorded is left (restart runs it again)",
		"goto 0%", "> PROG(1)<module>()\n-> def f(x):",
		"goto 100%", ended,
	)
}

// TestRefusedInNeuralMode checks that in neural mode nothing runs and nothing is recorded.
func TestRefusedInNeuralMode(t *testing.T) {
	s := neural(t, &scripted{replies: []string{atCall, inF, atY, returnsY, itEnds}}, trace.Options{})
	s.First(t.Context())
	const (
		unrun   = ": nothing of the program is run in neural mode (--mode real runs it)"
		leave   = ": nothing runs in neural mode, so there is nothing to leave out"
		goes    = "*** goto: there is no recording in neural mode; goto #N shows again what was shown, rewind the first state"
		objects = ": convenience variables are Python's objects"
	)
	answers(t, s,
		"mode", "neural",
		"mode neural", "neural",
		"mode real", "*** mode real: from neural one goes by --mode real at the start",
		"walk", "*** walk"+oneSource,
		"record off", "*** record off"+leave,
		"record", "*** record"+leave,
		"fc", "*** fast-continue"+leave,
		"find x == 1", "*** find: there is no recording in neural mode to look through; b LINE, CONDITION and c ask the model for a line where it holds",
		"goto 3", goes,
		"goto 10%", goes,
		"debug f(1)", "*** debug f(1)"+unrun,
		"interact", "*** interact"+unrun,
		"info threads", "*** info threads"+unrun,
		"watch x", "*** watch x: only a recording knows each value of an expression; in neural mode history NAME shows those that were predicted",
		"catch", "*** catch: a model is not asked for the next exception; s and n show those that it predicts",
		"catch KeyError", "*** catch KeyError: a model is not asked for the next exception; s and n show those that it predicts",
		"output", "",
		"n", "> PROG(5)<module>()  [predicted 0.75]\n-> a = f(2)",
		"s", "--Call--\n> PROG(1)f()  [predicted 0.75]\n-> def f(x):",
		"history x + 1", "*** Cannot follow x + 1: a model tells the values of names as texts, so only a name can be followed in neural mode",
		"s", "> PROG(2)f()  [predicted 0.75]\n-> y = x + 1",
		"up", "> PROG(5)<module>()\n-> a = f(2)",
		"x = 3", "*** x = 3: only the newest frame's values can be edited",
		"jump 2", "*** You can only jump within the bottom frame",
		"down", "> PROG(2)f()\n-> y = x + 1",
		"r", "--Return--\n> PROG(3)f()->3  [predicted 0.75]\n-> return y",
		"p $_retval", "3",
		"p $_exception", "*** $_exception"+objects,
		"p $x", "*** $x"+objects,
		"info program", "Program: PROG\nModel: scripted at http://models.example/v1\nMeasured: step_into is right in 87.5% of 8 (A)\nFrames: the newest Python, as the version is unknown (set python_version)\nHere: state 5 of 5 that were shown, predicted\nAsked: 4 predictions, 400 tokens read, of them 360 from the cache\nText: 616 bytes\nFiles: prog.py",
		"back 10", "> PROG(1)<module>()  [given]\n-> def f(x):",
		"back", "*** No state was shown before this one",
		"forth 3", "> PROG(2)f()  [predicted 0.75]\n-> y = x + 1",
		"forth 20", "--Return--\n> PROG(3)f()->3  [predicted 0.75]\n-> return y",
		"forth", "*** No state was shown after this one",
		"c", "The program finished. Exit code: 0\nBackward moves (rs, rn, rf, rc) still work; restart runs it again.",
		"x = 1", "*** x = 1: the program is over (rs goes back, rewind to its start)",
		"jump 1", "*** jump: the program is over (restart runs it again)",
		"l", overHere,
	)
	if s.Runs() || s.Advice() != "" {
		t.Error("something runs")
	}
}

// TestRefusedExpressions checks that each command with an expression or a condition
// refuses an invalid one.
func TestRefusedExpressions(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	const none, condition = " x ===: SyntaxError: invalid syntax", "*** Invalid condition x ===: SyntaxError: invalid syntax"
	answers(t, s,
		"find x ===", condition,
		"find -r x ===", condition,
		"watch x ===", "*** Cannot watch"+none,
		"watch i, x ===", condition,
		"catch , x ===", condition,
		"catch KeyError, x ===", condition,
		"last x ===", "*** Cannot follow"+none,
		"history x ===", "*** Cannot follow"+none,
		"b", "",
		"watch lambda: 1", "*** Cannot watch lambda: 1: a lambda is evaluated over the texts of values. What can be watched is a name, an attribute, an element, len(…) and what operators make of them",
		"last lambda: 1", "*** Cannot follow lambda: 1: a lambda is evaluated over the texts of values. What can be followed is a name, an attribute, an element, len(…) and what operators make of them",
		"info threads", "*** not asked in these tests",
		"source f", "*** not asked in these tests",
	)
	if s.Position().Event != 0 {
		t.Errorf("it stands at %+v", s.Position())
	}
}

// TestToldByTheProgram checks that answers of the program at the live edge are shown
// unchanged.
func TestToldByTheProgram(t *testing.T) {
	f := newFake(t)
	f.said = map[trace.Verb]trace.Answer{
		trace.VerbSource: {Text: "  1  \tdef f(x):\n"}, trace.VerbThreads: {Text: "2\x1eMainThread\x1f11\x1f1\x1f/src/prog.py\x1f5\x1f<module>\x1f\x1f\x1f\x1eother\x1f12\x1f\x1f/src/prog.py\x1f2\x1ff\x1f/lib/threading.py\x1f7\x1fwait"},
	}
	s := open(t, f)
	s.First(t.Context())
	answers(t, s,
		"source f", "  1  \tdef f(x):",
		"info threads", "* MainThread (ident 11, recorded): prog.py:5 in <module>\n  other (ident 12): prog.py:2 in f, inside /lib/threading.py:7 in wait",
		"s 4", "…",
		"up", "…",
		"source i.f", "  1  \tdef f(x):",
	)
	if got := f.asked; !slices.Equal(got, []string{"0 source f", "0 threads ", "1 source i.f"}) {
		t.Errorf("it is asked %q", got)
	}
}

// TestIncomplete checks an incomplete statement, at the prompt and in the interpreter: it
// asks for more, and nothing is reported to have run.
func TestIncomplete(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	for _, c := range []session.Command{session.Interact{Line: "for x in y:"}, session.Execute{Statement: "for x in y:", Forced: true}} {
		a := s.Do(t.Context(), c)
		if said, _ := a.Text(session.Said); a.Err == nil || a.Err.Message != "SyntaxError: unexpected EOF while parsing" || said != "" {
			t.Errorf("%#v: %+v", c, a)
		}
	}
	a := s.Do(t.Context(), session.Interact{Line: "y = 3"})
	if said, _ := a.Text(session.Said); a.Err != nil || said != "ran y = 3" {
		t.Errorf("%+v", a)
	}
}

// TestStepThatIsNone checks that a step is only one of the moves that are steps.
func TestStepThatIsNone(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	for _, c := range []session.Command{session.Step{Move: dsl.Continue}, session.Info{Topic: "weather"}} {
		if a := s.Do(t.Context(), c); a.Err == nil || a.Err.Kind != session.BadArgument || s.Position().Event != 0 {
			t.Errorf("%#v: %+v", c, a)
		}
	}
}
