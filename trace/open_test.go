package trace_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/saved"
)

// fileOf returns a recording file with the data of some chunks, and an end unless it is nil.
func fileOf(t testing.TB, end *saved.End, chunks ...[]byte) *bytes.Buffer {
	t.Helper()
	var w saved.Writer
	var file bytes.Buffer
	if err := w.Begin(&file, saved.Header{Format: saved.Version, ValueBytes: 1 << 20, Items: 100}); err != nil {
		t.Fatal(err)
	}
	for _, c := range chunks {
		w.Add(saved.Kind(c[0]), c[1:])
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if end != nil {
		if err := w.Finish(*end); err != nil {
			t.Fatal(err)
		}
	}
	return &file
}

// TestOpenDamaged checks what Open says about files whose chunks are whole, but not their data.
func TestOpenDamaged(t *testing.T) {
	fatal := 7
	for name, c := range map[string]struct {
		file *bytes.Buffer
		want string // the error, or the notice
	}{
		"no event":                      {fileOf(t, &saved.End{}), ""},
		"cut":                           {fileOf(t, nil), "the recording ends here: npdb was killed"},
		"an unknown chunk":              {fileOf(t, &saved.End{}, []byte("?later")), ""},
		"an unknown record":             {fileOf(t, nil, []byte("R\xee")), "damaged at byte"},
		"a record that is cut":          {fileOf(t, nil, []byte("R\x01")), "record is cut off"},
		"a zero":                        {fileOf(t, nil, []byte("R\x00")), "record of kind 0"},
		"output in another form":        {fileOf(t, nil, []byte("O\x01")), "output in no known form"},
		"an end that is no JSON":        {fileOf(t, nil, []byte("E{")), "damaged at byte"},
		"an exception that is no event": {fileOf(t, &saved.End{Fatal: &fatal, Notices: []string{"said"}}), "said"},
	} {
		rec, landing, err := trace.Open(c.file, trace.Limits{})
		said := landing.Notice
		if err != nil {
			said = err.Error()
		} else if err := rec.Close(); err != nil {
			t.Errorf("%s: close: %v", name, err)
		}
		if !strings.Contains(said, c.want) || c.want == "" && said != "" {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
		if err == nil && !landing.End {
			t.Errorf("%s: begins at %+v, without an event", name, landing)
		}
	}
}

// TestOpened checks that what needs the program says that it is gone.
func TestOpened(t *testing.T) {
	rec, landing, err := trace.Open(fileOf(t, &saved.End{}), trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	var gone *trace.GoneError
	if _, err := rec.Ask(ctx, 0, trace.VerbPrint, "1"); !errors.As(err, &gone) {
		t.Errorf("ask: %v", err)
	}
	if _, err := rec.Debug(ctx, 0, "f()"); !errors.As(err, &gone) {
		t.Errorf("debug: %v", err)
	}
	if err := rec.Input("x", false); !errors.As(err, &gone) {
		t.Errorf("input: %v", err)
	}
	if l, err := rec.Advance(ctx, nil, nil); err != nil || l.Reason != trace.Ended {
		t.Errorf("advance: %+v %v", l, err)
	}
	if l, err := rec.Resume(ctx); err != nil || l.Reason != trace.Ended {
		t.Errorf("resume: %+v %v", l, err)
	}
	rec.Interrupt()
	rec.Kill()
	rec.Resize(80, 24)
	if !landing.End || rec.Exit() != nil {
		t.Errorf("%+v %v", landing, rec.Exit())
	}
	for range 2 {
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
}

// FuzzOpen checks that no records, output or end make Open fail in another way than with an
// error, and that every state of what it accepts can be shown.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("\x01\x02"), []byte("\x01\x01\x02hi"), []byte(`{"fatal":1}`))
	f.Fuzz(func(t *testing.T, records, output, end []byte) {
		file := fileOf(t, nil, append([]byte("R"), records...), append([]byte("O"), output...), append([]byte("E"), end...))
		rec, _, err := trace.Open(file, trace.Limits{Events: 1000, Bytes: 64 << 20})
		if err != nil {
			return
		}
		for i := range rec.Tree().Len() {
			rec.Tree().State(i)
		}
		rec.Output(-1, -1)
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	})
}
