package saved_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/npdb/npdb/trace/saved"
)

// written returns a file with records, output and an end.
func written(t testing.TB) []byte {
	t.Helper()
	var w saved.Writer
	var file bytes.Buffer
	w.Add(saved.KindRecords, []byte("before the file"))
	w.Add(saved.KindOutput, saved.AppendOutput(nil, -1, 1, []byte("hello")))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if w.Bytes() == 0 {
		t.Error("nothing is kept before the file")
	}
	if err := w.Begin(&file, saved.Header{Format: saved.Version, Python: "3.12.1", Args: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	if w.Bytes() != 0 {
		t.Error("chunks are kept that were written")
	}
	w.Add(saved.KindRecords, bytes.Repeat([]byte("x"), 100<<10))
	w.Add(saved.KindInput, saved.AppendOutput(nil, 7, 0, []byte("typed\n")))
	if err := w.Finish(saved.End{Lost: true}); err != nil {
		t.Fatal(err)
	}
	w.Add(saved.KindRecords, []byte("after the end"))
	return file.Bytes()
}

type chunk struct {
	kind saved.Kind
	data string
}

// chunksOf reads a file up to its end or its damage.
func chunksOf(raw []byte) (chunks []chunk, err error) {
	r, err := saved.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		kind, data, err := r.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return chunks, err
		}
		chunks = append(chunks, chunk{kind, string(data)})
	}
}

func TestFile(t *testing.T) {
	chunks, err := chunksOf(written(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range chunks {
		got = append(got, string(c.kind)+" "+strings.TrimRight(c.data, "x"))
	}
	want := []string{
		"O " + string(saved.AppendOutput(nil, -1, 1, []byte("hello"))), "R before the file", "R ",
		"I " + string(saved.AppendOutput(nil, 7, 0, []byte("typed\n"))), `E {"exit":null,"fatal":null,"lost":true}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDamage checks that a file that was cut, or in which a byte was changed, is read up to there,
// and that nothing is read that was not written.
func TestDamage(t *testing.T) {
	raw := written(t)
	whole, err := chunksOf(raw)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, at int, damaged []byte, mayBeWhole bool) {
		got, err := chunksOf(damaged)
		for i, c := range got {
			if i >= len(whole) || c != whole[i] {
				t.Fatalf("%s at %d: chunk %d was not written", what, at, i)
			}
		}
		var no *saved.NotRecordingError
		var damage *saved.DamagedError
		if err == nil && !mayBeWhole || err != nil && !errors.As(err, &no) && !errors.As(err, &damage) {
			t.Fatalf("%s at %d: the error is %v", what, at, err)
		}
	}
	for at := range raw {
		check("cut", at, raw[:at], true)
		changed := bytes.Clone(raw)
		changed[at] ^= 1 << (at % 8)
		check("changed", at, changed, false)
	}
}

func TestRefused(t *testing.T) {
	var w saved.Writer
	var newer bytes.Buffer
	if err := w.Begin(&newer, saved.Header{Format: saved.Version + 1}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"a later format": {newer.Bytes(), "open it with a newer npdb"},
		"another file":   {[]byte("print('hello')\n"), "not a recording file"},
		"nothing":        {nil, "not a recording file"},
	} {
		if _, err := chunksOf(c.raw); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	old, other := filepath.Join(dir, "old.npdb"), filepath.Join(dir, "other.txt")
	if err := errors.Join(os.WriteFile(old, written(t), 0o600), os.WriteFile(other, []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{old, filepath.Join(dir, "new.npdb")} {
		file, err := saved.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var exists *saved.ExistsError
	if _, err := saved.Create(other); !errors.As(err, &exists) {
		t.Errorf("%s was replaced: %v", other, err)
	}
	if kept, err := os.ReadFile(other); err != nil || string(kept) != "mine" {
		t.Errorf("%q %v", kept, err)
	}
}

// TestWait checks that data is written after a while, although it is less than a chunk.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w saved.Writer
		var file bytes.Buffer
		if err := w.Begin(&file, saved.Header{}); err != nil {
			t.Fatal(err)
		}
		now := func() ([]chunk, error) {
			defer w.Bytes() // locks the writer, after which it may write to file
			return chunksOf(file.Bytes())
		}
		for _, records := range []string{"a", "b"} {
			w.Add(saved.KindRecords, []byte(records))
			if chunks, err := now(); err != nil || len(chunks) > 0 && chunks[len(chunks)-1].data == records {
				t.Errorf("%q was written at once: %v", chunks, err)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if chunks, err := now(); err != nil || len(chunks) == 0 || chunks[len(chunks)-1].data != records {
				t.Errorf("%q was not written, only %q: %v", records, chunks, err)
			}
		}
		w.Add(saved.KindRecords, []byte("c"))
		if err := w.Finish(saved.End{}); err != nil {
			t.Fatal(err)
		}
		size := file.Len()
		time.Sleep(time.Minute)
		synctest.Wait()
		if file.Len() != size {
			t.Error("something was written after the end")
		}
	})
}

// failing is a full disk.
type failing struct{ room int }

func (f *failing) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errors.New("no space left")
	}
	return len(b), nil
}

func TestFullDisk(t *testing.T) {
	var w saved.Writer
	if err := w.Begin(&failing{room: 500}, saved.Header{}); err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 1<<20)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(noise)
	w.Add(saved.KindRecords, noise)
	w.Add(saved.KindRecords, noise)
	if err := w.Finish(saved.End{}); err == nil {
		t.Error("a full disk is no error")
	}
}

// writes keeps each write.
type writes [][]byte

func (w *writes) Write(b []byte) (int, error) {
	*w = append(*w, bytes.Clone(b))
	return len(b), nil
}

// TestHeaderIsOneWrite checks that a kill between two writes leaves no file without its header, which
// nothing can open.
func TestHeaderIsOneWrite(t *testing.T) {
	var w saved.Writer
	var file writes
	if err := w.Begin(&file, saved.Header{Format: saved.Version, Python: "3.12.1"}); err != nil {
		t.Fatal(err)
	}
	r, err := saved.NewReader(bytes.NewReader(file[0]))
	if err != nil {
		t.Fatalf("after the first of %d writes: %v", len(file), err)
	}
	defer r.Close()
	if r.Header.Python != "3.12.1" {
		t.Errorf("the header is %+v", r.Header)
	}
}

func FuzzReader(f *testing.F) {
	raw := written(f)
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	f.Fuzz(func(t *testing.T, raw []byte) {
		chunks, _ := chunksOf(raw)
		for _, c := range chunks {
			saved.EachOutput([]byte(c.data), func(event int, _ byte, data []byte) {
				if event < -1 || len(data) > len(c.data) {
					t.Errorf("output of event %d, %d bytes", event, len(data))
				}
			})
		}
	})
}
