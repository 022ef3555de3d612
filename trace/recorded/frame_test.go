package recorded

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFramesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frames := rapid.SliceOf(rapid.SliceOf(rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))).Draw(t, "frames")
		var stream []byte
		for _, fields := range frames {
			var err error
			if stream, err = appendFrame(stream, fields...); err != nil {
				t.Fatal(err)
			}
		}
		r := bytes.NewReader(stream)
		for _, want := range frames {
			got, err := readFrame(r, frameLimit)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("got %q, %v; want %q", got, err, want)
			}
		}
		if _, err := readFrame(r, frameLimit); !errors.Is(err, io.EOF) {
			t.Fatalf("after the last frame: %v", err)
		}
	})
}

func TestReadFrameRefuses(t *testing.T) {
	tests := []struct {
		name, stream string
		cut          bool
		message      string
	}{
		{"a head that is cut", "\x00\x00", true, ""},
		{"a body that is cut", "\x00\x00\x00\x05\x00", true, "after 1 of 5 bytes"},
		{"a frame too large", "\xff\xff\xff\xff", false, "4294967295 bytes, more than 64"},
		{"a field's size that is cut", "\x00\x00\x00\x02\x00\x00", false, "size is cut at byte 0"},
		{"a field beyond its frame", "\x00\x00\x00\x05\x00\x00\x00\x02a", false, "a field of 2 bytes"},
	}
	for _, test := range tests {
		fields, err := readFrame(strings.NewReader(test.stream), 64)
		if err == nil || errors.Is(err, io.ErrUnexpectedEOF) != test.cut || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%s: got %q, %v", test.name, fields, err)
		}
	}
}

// What is decoded is what was encoded: nothing is guessed.
func FuzzReadFrame(f *testing.F) {
	for _, fields := range [][]string{nil, {""}, {"value", "3"}, {"a\x00b", strings.Repeat("c", 300)}} {
		frame, err := appendFrame(nil, fields...)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(frame)
	}
	f.Add([]byte("\x00\x00\x00\x05\x00\x00\x00\x02a"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := bytes.NewReader(stream)
		fields, err := readFrame(r, 1<<20)
		if err != nil {
			return
		}
		again, err := appendFrame(nil, fields...)
		if err != nil || !bytes.Equal(again, stream[:len(stream)-r.Len()]) {
			t.Fatalf("%q was read as %q, which is written %q, %v", stream, fields, again, err)
		}
	})
}

func FuzzParseOutline(f *testing.F) {
	f.Add("1,2,3", "f", "A.f", "1", "2", "3")
	f.Add("", "f", "f", "-1", "+2", "x")
	f.Fuzz(func(t *testing.T, lines, name, qualname, line, body, end string) {
		o, err := parseOutline([]string{lines, name, qualname, line, body, end})
		if err == nil && (len(o.Functions) != 1 || o.Functions[0].QualName != qualname || (lines == "") != (len(o.Executable) == 0)) {
			t.Fatalf("got %+v", o)
		}
	})
}
