package policy

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"
)

func TestValidate(t *testing.T) {
	for name, s := range map[string]*Settings{"defaults": Defaults(), "paper": Paper()} {
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var again Settings
		if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(&again, s) {
			t.Errorf("%s: as JSON %s, which is %+v, %v", name, text, again, err)
		}
	}
	for _, test := range []struct {
		change func(*Settings)
		name   string
	}{
		{func(s *Settings) { s.Hit = 1.1 }, "hit"},
		{func(s *Settings) { s.Compacted = -0.1 }, "compacted"},
		{func(s *Settings) { s.Back = math.NaN() }, "back"},
		{func(s *Settings) { s.Edits = math.Inf(1) }, "edits"},
		{func(s *Settings) { s.Leave = 2 }, "leave"},
		{func(s *Settings) { s.Single = nil }, "single"},
		{func(s *Settings) { s.Single = []Weighted{{1.5, 1}} }, "single"},
		{func(s *Settings) { s.Single = []Weighted{{0.5, -1}, {0.5, 2}} }, "single"},
		{func(s *Settings) { s.Single = []Weighted{{0.5, 0}} }, "single"},
		{func(s *Settings) { s.Actions = Actions{} }, "actions"},
		{func(s *Settings) { s.Actions.Continue = math.Inf(1) }, "actions"},
		{func(s *Settings) { s.Actions.StepInto, s.Actions.StepOver = math.MaxFloat64, math.MaxFloat64 }, "actions"},
		{func(s *Settings) { s.Actions.Breakpoint = math.NaN() }, "actions"},
		{func(s *Settings) { s.Lines = nil }, "lines"},
		{func(s *Settings) { s.Lines = []float64{1, -1} }, "lines"},
		{func(s *Settings) { s.Seen = []float64{2} }, "seen"},
		{func(s *Settings) { s.Seen = nil }, "seen"},
		{func(s *Settings) { s.Runs = []int{3, 0} }, "runs"},
		{func(s *Settings) { s.Runs = nil }, "runs"},
		{func(s *Settings) { s.Bytes = s.Room }, "bytes"},
		{func(s *Settings) { s.Room = -1 }, "bytes"},
		{func(s *Settings) { s.EditChars = -1 }, "edit_chars"},
		{func(s *Settings) { s.EditLead = -1 }, "edit_lead"},
	} {
		s := Defaults()
		test.change(s)
		var wrong *SettingsError
		if err := s.Validate(); !errors.As(err, &wrong) || wrong.Name != test.name {
			t.Errorf("%v, want what is wrong with %s", err, test.name)
		}
	}
	s := Defaults()
	s.Stale, s.Seen, s.Inverse, s.Runs = 0, nil, 0, nil // nobody asks for them
	s.EditLead, s.EditChars, s.Room, s.Bytes, s.Hit = 0, 0, 0, 1, 1
	s.Single, s.Lines = []Weighted{{1, 1}, {0, 0}}, []float64{0, 2}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}
