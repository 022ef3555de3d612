package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/openai"
)

func foundBy(verdict openai.Verdict) *openai.Capabilities {
	return &openai.Capabilities{
		Place: "http://127.0.0.1:1/v1", Model: "nd\x1b[31m", Models: []string{"nd\x1b[31m", "other"},
		Items: []openai.Capability{
			{Name: "speaks nd/1", Verdict: verdict, Seen: strings.Repeat("word ", 20), Means: "predictions work"},
			{Name: "streams", Verdict: openai.Undecided, Means: "states appear as they are written"},
		},
	}
}

func TestWriteProbe(t *testing.T) {
	for _, columns := range []int{60, 80, 100, 0} {
		var b bytes.Buffer
		if err := writeProbe(page{Writer: &b, columns: columns}, foundBy(openai.Yes)); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		for _, want := range []string{"server  http://127.0.0.1:1/v1\n", "others  other\n", "speaks nd/1  yes      word", "\nstreams      unknown  states"} {
			if !strings.Contains(out, want) {
				t.Errorf("%d columns: %q is not in\n%s", columns, want, out)
			}
		}
		if !strings.HasSuffix(strings.Join(strings.Fields(out), " "), "predictions work streams unknown states appear as they are written") {
			t.Errorf("%d columns: words are missing in\n%s", columns, out)
		}
		if strings.Contains(out, "\x1b") {
			t.Error("an escape reaches the terminal")
		}
		if i := slices.IndexFunc(strings.Split(out, "\n"), func(line string) bool { return len(line) > columns }); columns > 0 && i >= 0 {
			t.Errorf("line %d has more than %d columns:\n%s", i, columns, out)
		}
	}
}

func TestWriteProbeJSON(t *testing.T) {
	for _, tt := range []struct {
		name  string
		found *openai.Capabilities
		err   error
	}{
		{"usable", foundBy(openai.Yes), nil},
		{"unusable", foundBy(openai.No), errUnusable},
		{"nobody there", nil, errors.New("refused")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := writeProbeJSON(&b, tt.found, tt.err); !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
				t.Errorf("it returns %v", err)
			}
			if n := strings.Count(b.String(), "\n"); n != 1 {
				t.Errorf("%d lines", n)
			}
			var got struct {
				Usable       bool
				Error        *struct{ Message string }
				Place        string
				Capabilities []struct{ Name, Verdict string }
			}
			if err := json.Unmarshal(b.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if got.Usable != (tt.err == nil) || (got.Error == nil) != (tt.err == nil) {
				t.Errorf("usable %v, error %v", got.Usable, got.Error)
			}
			if (len(got.Capabilities) == 2) != (tt.found != nil) {
				t.Errorf("capabilities %v", got.Capabilities)
			}
		})
	}
}
