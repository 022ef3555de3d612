package trace

import (
	"bytes"
	"strings"
	"testing"

	"github.com/npdb/npdb/trace/saved"
)

// TestOpenCutOff cuts a recording at every byte after its header, as a kill in the middle of a
// write does. It opens up to there, even without a whole event, and a notice says that it ends.
func TestOpenCutOff(t *testing.T) {
	var w saved.Writer
	var file bytes.Buffer
	if err := w.Begin(&file, saved.Header{Format: saved.Version, ValueBytes: 1 << 20, Items: 100}); err != nil {
		t.Fatal(err)
	}
	header := file.Len()
	w.Add(saved.KindRecords, program().Bytes())
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	records := file.Len()
	w.Add(saved.KindOutput, saved.AppendOutput(nil, -1, 1, []byte("hi")))
	if err := w.Finish(saved.End{}); err != nil {
		t.Fatal(err)
	}
	for at := header; at < file.Len(); at++ {
		rec, landing, err := Open(bytes.NewReader(file.Bytes()[:at]), Limits{})
		if err != nil {
			t.Errorf("cut at byte %d of %d, after a header of %d: %v", at, file.Len(), header, err)
			continue
		}
		if want := "the recording ends here: npdb was killed"; !strings.HasPrefix(landing.Notice, want) {
			t.Errorf("cut at byte %d: the notice is %q, want %q", at, landing.Notice, want)
		}
		if events := rec.Tree().Len(); events > 0 != (at >= records) {
			t.Errorf("cut at byte %d: it has %d events, and its records end at byte %d", at, events, records)
		}
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
}
