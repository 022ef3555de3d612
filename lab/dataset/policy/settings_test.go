package policy

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestPresets pins the default settings of a dataset, so that they do not change by accident.
func TestPresets(t *testing.T) {
	const defaults = `{"bytes":6000,"room":300,"single":[{"share":0.5,"weight":1},{"share":0.8,"weight":1},{"share":0.95,"weight":1},{"share":1,"weight":1}],` +
		`"actions":{"step_into":1,"step_over":1,"step_return":1,"breakpoint":1,"continue":0.3},"lines":[3,2,1],"hit":0.85,` +
		`"compacted":0.28,"stale":0.25,"seen":[0.2,0.5,0.8],"inverse":0.3,"back":0.2,"back_compacted":0.6,"runs":[1,1,2,2,3,3,4,5,6,8,10,14],` +
		`"return":0.4,"leave":0.4,"question":0.15,"breakpoint":0.5,"more":0.3,"edits":0.1,"used":0.8,"other":0.3,"edit_chars":60,"edit_lead":12}`
	paper := strings.NewReplacer(
		`[{"share":0.5,"weight":1},{"share":0.8,"weight":1},{"share":0.95,"weight":1},{"share":1,"weight":1}]`, `[{"share":0.5,"weight":1}]`,
		`"continue":0.3`, `"continue":1`, `"question":0.15`, `"question":0`,
	).Replace(defaults)
	for want, s := range map[string]*Settings{defaults: Defaults(), paper: Paper()} {
		if got, err := json.Marshal(s); err != nil || string(got) != want {
			t.Errorf("%s, %v, want\n%s", got, err, want)
		}
	}
}

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
	s.Stale, s.Seen, s.Inverse, s.Runs = 0, nil, 0, nil // not used if there are no inverse walks
	s.EditLead, s.EditChars, s.Room, s.Bytes, s.Hit = 0, 0, 0, 1, 1
	s.Single, s.Lines = []Weighted{{1, 1}, {0, 0}}, []float64{0, 2}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}
