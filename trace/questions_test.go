//go:build unix

package trace

import (
	"errors"
	"reflect"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestQuestions checks that a request is sent with its frame, and that notices that arrive
// with its answer are passed on.
func TestQuestions(t *testing.T) {
	raised := Position{Event: 4, PostMortem: true}
	for name, c := range map[string]struct {
		verb   Verb
		text   string
		answer []string
		want   Answer
	}{
		"a value":          {VerbPrint, "x", []string{"ok", "1"}, Answer{Text: "1"}},
		"an edit":          {VerbExec, "x = 1", []string{"ok", "", "", "1"}, Answer{Changed: true}},
		"more is to come":  {VerbInteract, "if x:", []string{"ok", "", "1"}, Answer{More: true}},
		"a jump":           {VerbJump, "3", []string{"ok", ""}, Answer{Landing: &Landing{Position: Position{Event: 6}, Horizon: 1, Notice: "a word"}}},
		"the chain":        {VerbExceptions, "", []string{"ok", "1 5"}, Answer{Text: "1 5"}},
		"one of the chain": {VerbExceptions, "0", []string{"ok", "1 5"}, Answer{Landing: &Landing{Position: raised, Reason: DiedPostMortem}}},
		"without a place":  {VerbExceptions, "0", []string{"ok", "?"}, Answer{}},
		"none of it":       {VerbExceptions, "0", []string{"ok", ""}, Answer{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := scriptedAt(t, standing("module f line raise raise line"))
			s.say(msgNotice, "a word")
			if c.verb == VerbJump {
				s.write(more())
			}
			s.say(msgAnswer, c.answer...)
			got, err := s.rec.Ask(t.Context(), 2, c.verb, c.text)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v, %v, want %+v", got, err, c.want)
			}
			s.wantTold(string(c.verb), "2", c.text)
			if got.Landing != nil && s.rec.LiveEdge() != got.Landing.Position {
				t.Errorf("the live edge is %+v", s.rec.LiveEdge())
			}
		})
	}
}

// TestQuestionsUnanswered checks that a request without an answer returns an error with
// the reason.
func TestQuestionsUnanswered(t *testing.T) {
	for name, c := range map[string]struct {
		says func(s *scripted)
		want error
	}{
		"it raises":       {func(s *scripted) { s.say(msgAnswer, "error", "KeyError", "'k'") }, &EvalError{Type: "KeyError", Message: "'k'"}},
		"raises no words": {func(s *scripted) { s.say(msgAnswer, "error", "E", "") }, &EvalError{Type: "E"}},
		"ends meanwhile":  {func(*scripted) {}, &GoneError{What: "p"}},
		"hears nothing":   {func(s *scripted) { _ = s.hears.Close() }, &GoneError{What: "p"}},
		"writes garbage": {func(s *scripted) {
			s.write(new(written).rec(0x7e))
			s.say(msgNotice, "x")
		}, &ChannelError{errors.New("tracer's record at byte 0: unknown kind 0x7e")}},
	} {
		t.Run(name, func(t *testing.T) {
			s := scriptedAt(t, standing("module f line"))
			c.says(s)
			s.over()
			got, err := s.rec.Ask(t.Context(), 0, VerbPrint, "x")
			if reflect.TypeOf(err) != reflect.TypeOf(c.want) || err.Error() != c.want.Error() || got != (Answer{}) {
				t.Errorf("%+v, %v, want %v", got, err, c.want)
			}
		})
	}
}

// TestQuestionsAfterTheEnd checks that requests to a program that has ended fail.
func TestQuestionsAfterTheEnd(t *testing.T) {
	s := scriptedAt(t, standing("module f line"))
	s.over()
	if _, err := s.moves(dsl.Continue); err != nil {
		t.Fatal(err)
	}
	if _, err := s.rec.Ask(t.Context(), 0, VerbPrint, "x"); err == nil || err.Error() != "the program is over: p needs its live frame" {
		t.Errorf("a value: %v", err)
	}
	if frames, err := s.rec.Below(t.Context()); err == nil || frames != nil {
		t.Errorf("frames: %v, %v", frames, err)
	}
	if locals, err := s.rec.LocalsBelow(t.Context(), 1); err == nil || locals != nil {
		t.Errorf("locals: %v, %v", locals, err)
	}
}

// TestQuestionsBelow checks the fields of the frames of a traceback below the top, and of
// their locals.
func TestQuestionsBelow(t *testing.T) {
	s := scriptedAt(t, standing("module f line"))
	s.say(msgAnswer, "ok", "/p/a.py\x003\x00f\x004\x001\x00/lib.py\x0030\x00g\x0031\x00")
	frames, err := s.rec.Below(t.Context())
	want := []BelowFrame{{Path: "/p/a.py", Line: 3, Function: "f", At: 4, Activation: 1}, {Path: "/lib.py", Line: 30, Function: "g", At: 31, Activation: -1}}
	if err != nil || !reflect.DeepEqual(frames, want) {
		t.Errorf("frames %+v, %v, want %+v", frames, err, want)
	}
	s.wantTold("below", "0", "")
	s.say(msgAnswer, "ok", "x\x001\x00\x00y\x002\x001")
	locals, err := s.rec.LocalsBelow(t.Context(), 2)
	if want := []dsl.Local{{Name: "x", Value: "1"}, {Name: "y", Value: "2", Hidden: true}}; err != nil || !reflect.DeepEqual(locals, want) {
		t.Errorf("locals %+v, %v, want %+v", locals, err, want)
	}
	s.wantTold("locals", "-2", "")
	s.say(msgAnswer, "ok", "cut\x003\x00f\x004")
	if frames, err := s.rec.Below(t.Context()); err != nil || frames != nil {
		t.Errorf("less than a frame: %+v, %v", frames, err)
	}
	s.say(msgAnswer, "ok", "")
	if frames, err := s.rec.Below(t.Context()); err != nil || frames != nil {
		t.Errorf("no frames: %+v, %v", frames, err)
	}
}

// TestRaisedAt checks that an exception's event is that of its line in its activation, or
// the last one of that activation.
func TestRaisedAt(t *testing.T) {
	s := scriptedAt(t, standing("module f raise line raise return raise"))
	for where, want := range map[string]int{"1 5": 4, "1 6": 4, "0 5": 6, "7 5": -1, "x": -1, "1": -1, "": -1} {
		if got := s.rec.raisedAt(where); got != want {
			t.Errorf("%q: event %d, want %d", where, got, want)
		}
	}
}
