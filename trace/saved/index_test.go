package saved_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/trace/saved"
)

// indexed returns a file with a log and an index, and the pages of the index.
func indexed(t testing.TB) (raw []byte, pages []string) {
	t.Helper()
	for k := range 40 {
		pages = append(pages, strings.Repeat(fmt.Sprint("page ", k), k*k))
	}
	var w saved.Writer
	var file bytes.Buffer
	if err := w.Begin(&file, saved.Header{Format: saved.Version}); err != nil {
		t.Fatal(err)
	}
	w.Add(saved.KindRecords, []byte("records"))
	w.Add(saved.KindOutput, []byte("output"))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	w.Add(saved.KindRecords, []byte("more"))
	if err := w.Finish(saved.End{}); err != nil {
		t.Fatal(err)
	}
	err := w.Index(func(put func([]byte) (uint64, error)) ([]byte, error) {
		for k, page := range pages {
			b := []byte(page)
			if n, err := put(b); err != nil || n != uint64(k) {
				t.Errorf("page %d has the number %d, %v", k, n, err)
			}
			clear(b) // a page is only valid during the call
		}
		return []byte("directory"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), pages
}

// read reads all of a file by its index: the directory, the pages, and the log.
func read(raw []byte) (all []string, err error) {
	x, err := saved.NewIndex(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	defer x.Close()
	all = append(all, string(x.Directory))
	err = x.Log(func(kind saved.Kind, data []byte) error {
		all = append(all, string(kind)+string(data))
		return nil
	})
	for k := uint64(0); err == nil; k++ {
		var page []byte
		if page, err = x.Page(k); err == nil {
			all = append(all, string(page))
		}
	}
	var damage *saved.DamagedError
	if errors.As(err, &damage) && damage.Why == "a page does not exist" {
		err = nil
	}
	return all, err
}

func TestIndex(t *testing.T) {
	raw, pages := indexed(t)
	got, err := read(raw)
	want := append([]string{"directory", "Ooutput", `E{"exit":null,"fatal":null}`}, pages...)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: got %q, want %q", err, got, want)
	}
	chunks, err := chunksOf(raw)
	if err != nil || len(chunks) != len(pages)+6 || chunks[len(chunks)-1].kind != saved.KindTrailer {
		t.Errorf("%v: the file has %d chunks for a reader without an index", err, len(chunks))
	}
}

// TestIndexDamaged checks that a file with an index that was cut, or in which a byte was changed, has
// the same index or none, and that changed records are not read by the index.
func TestIndexDamaged(t *testing.T) {
	raw, _ := indexed(t)
	want, err := read(raw)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	check := func(what string, at int, damaged []byte) {
		switch got, err := read(damaged); {
		case err == nil && !slices.Equal(got, want):
			t.Fatalf("%s at %d: %.200q", what, at, got)
		case err == nil:
			same++
		}
	}
	for at := range raw {
		check("cut", at, raw[:at])
		changed := bytes.Clone(raw)
		changed[at] ^= 1 << (at % 8)
		check("changed", at, changed)
	}
	if least, most := len("records"), 2*len("records more")+2*60; same < least || same > most {
		t.Errorf("%d damaged files were read", same)
	}
}

// TestNoIndex checks files that get no index: because saving it fails, because its directory is too
// large, or because the recording is not written to a file.
func TestNoIndex(t *testing.T) {
	type put = func([]byte) (uint64, error)
	for name, save := range map[string]func(put) ([]byte, error){
		"fails": func(put) ([]byte, error) { return nil, errors.New("no") },
		"large": func(put) ([]byte, error) { return make([]byte, saved.MostDirectory+1), nil },
	} {
		var w saved.Writer
		var file bytes.Buffer
		if err := errors.Join(w.Begin(&file, saved.Header{}), w.Finish(saved.End{})); err != nil {
			t.Fatal(err)
		}
		if err := w.Index(save); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := read(file.Bytes()); err == nil || !strings.Contains(err.Error(), "has no index") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var w saved.Writer
	if err := w.Index(func(put) ([]byte, error) { panic("nothing to save") }); err != nil {
		t.Error(err)
	}
	full := failing{room: 500}
	if err := w.Begin(&full, saved.Header{}); err != nil {
		t.Fatal(err)
	}
	err := w.Index(func(put put) ([]byte, error) {
		for range 100 {
			if _, err := put([]byte("page")); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	if err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("a full disk: %v", err)
	}
}

func FuzzIndex(f *testing.F) {
	raw, _ := indexed(f)
	f.Add(raw)
	f.Fuzz(func(_ *testing.T, raw []byte) { _, _ = read(raw) })
}
