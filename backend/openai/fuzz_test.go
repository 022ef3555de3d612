package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/npdb/npdb/dsl"
)

// eventsOf returns a reader for the events of a stream.
func eventsOf(t *testing.T, body io.Reader) *events {
	t.Helper()
	e, err := read(&http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(body)})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// FuzzEvents checks that any stream is read to its end: as events, errors of the server, or invalid
// pieces.
func FuzzEvents(f *testing.F) {
	f.Add([]byte(whole()))
	f.Add([]byte(": ping\r\n\r\ndata:{\"error\":{\"message\":\"x\"}}\r\ndata: [DONE]"))
	f.Add([]byte("data: {\"choices\":[{\"index\":0,\"text\":\"a"))
	f.Add([]byte("event: x\ndata:\ndata: \n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		readsToEnd(t, eventsOf(t, io.MultiReader(strings.NewReader(":\n"), bytes.NewReader(body))))
	})
}

// readsToEnd reads all events. It fails the test if the last error is not the end of the stream, or
// changes when read again.
func readsToEnd(t *testing.T, e *events) {
	t.Helper()
	for {
		c, err := e.next()
		var said *serverError
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // the last event may be truncated
			if again, last := e.next(); !errors.Is(last, err) || again.Choices != nil {
				t.Fatalf("%v follows %v", last, err)
			}
			return
		case err == nil && (c.Object == "error" || c.Error != nil && string(c.Error) != "null"):
			t.Fatalf("an error is read as a piece: %+v", c)
		case err != nil && !errors.Is(err, errNoChunk) && !errors.As(err, &said):
			t.Fatal(err) // the input is too short to exceed a limit
		}
	}
}

// FuzzEventSpelling checks that all ways in which the standard allows a stream to be written are read as
// the same events.
func FuzzEventSpelling(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Add(uint64(0), uint64(0))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		r := rand.New(rand.NewPCG(a, b))
		ends := []string{"\n", "\r\n", "\r"}
		var stream, want strings.Builder
		if r.IntN(2) == 0 {
			stream.WriteString("\ufeff")
		}
		for i := range 1 + r.IntN(8) {
			end := ends[r.IntN(len(ends))] // the same within one event, where \r followed by \n would be one line end
			if r.IntN(3) == 0 {
				stream.WriteString(": a comment" + end + "event: message" + end + "id" + end + end)
			}
			if r.IntN(4) == 0 {
				stream.WriteString("data: null" + end + end)
			}
			text := fmt.Sprintf("%d a: b \u2028", i)
			object, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"text": text}, nil}, "é": "\u2028"})
			var shown bytes.Buffer
			if r.IntN(2) == 0 {
				_ = json.Indent(&shown, object, "", "  ")
			} else {
				shown.Write(object)
			}
			for line := range strings.Lines(shown.String()) {
				blank := " "
				if r.IntN(2) == 0 {
					blank = ""
				}
				stream.WriteString("data:" + blank + strings.TrimSuffix(line, "\n") + end)
			}
			stream.WriteString(end)
			want.WriteString(text + "\n")
		}
		var got strings.Builder
		in := eventsOf(t, iotest.OneByteReader(strings.NewReader(stream.String())))
		for {
			c, err := in.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || len(c.Choices) != 2 {
				t.Fatalf("%+v: %v", c, err)
			}
			got.WriteString(c.Choices[0].Text + "\n")
		}
		if got.String() != want.String() {
			t.Errorf("%q\nis read as\n%s\nwant\n%s", stream.String(), got.String(), want.String())
		}
	})
}

// FuzzIntake checks that a reply of any pieces is either complete or an error with a message, and that
// the length of its text stays within the limit.
func FuzzIntake(f *testing.F) {
	for line := range strings.Lines(whole() + piece("x", `,"logprobs":{"tokens":["x"],"token_logprobs":[null]}`)) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			f.Add([]byte(data))
		}
	}
	f.Add([]byte(`{"object":"error","message":"m"}`))
	f.Add([]byte(`{"choices":[{"index":0,"text":"<|end_sep|>{\"code\": 0}<|frame_sep|>","logprobs":{"content":[{"token":"a","logprob":-1}]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := node(t).Decode(stepOver)
		in := &intake{sink: &stateSink{d: d}, limit: 4, frameSep: dsl.ND1.Name(dsl.FrameSep)}
		for range 8 {
			c, err := decodeChunk(data)
			if err != nil || in.take(c) != nil {
				break
			}
		}
		if in.reply.complete != d.Done() {
			t.Fatalf("complete %v, the decoder is done: %v", in.reply.complete, d.Done())
		}
		if in.reply.pieces > in.limit+2 {
			t.Fatalf("%d pieces of %d", in.reply.pieces, in.limit)
		}
		if c := in.reply.confidence("<|frame_sep|>"); c != nil && !(*c >= 0 && *c <= 1) {
			t.Fatalf("confidence %v", *c)
		}
	})
}

// FuzzEnvelope checks that the error for any body of a failed request is one printable line without the
// key.
func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"This model's maximum context length is 16 tokens","type":"t","code":400}}`), 400)
	f.Add([]byte(`{"object":"error","message":"x`+testKey+`","code":"y"}`), 403)
	f.Add([]byte(`{"error":"text"}`), 500)
	f.Add([]byte(`{"detail":[{"msg":"field required"}]}`), 422)
	f.Add([]byte(`<html>`), 404)
	p, err := New(Config{BaseURL: "http://127.0.0.1:1/v1", Model: "nd", Key: testKey})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		e := p.refused(&refusal{status: status, body: body})
		fails(t, e, e.Kind)
		if e.Message == "" || strings.Contains(e.Message, testKey) || (e.Err != nil && strings.Contains(e.Err.Error(), testKey)) {
			t.Fatalf("%q", e.Message)
		}
		if said, ok := decodeEnvelope(body); ok {
			said.lengths()
			if !json.Valid(body) {
				t.Fatal("read from what is no JSON")
			}
		}
	})
}

func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, s := range []string{"", "0", "-1", "12", "1.5", "1e300", "NaN", "Inf", "Sun, 01 Mar 2026 12:00:09 GMT", "Sunday, 01-Mar-26 12:00:09 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if d := retryAfter(header, now); d < 0 {
			t.Fatalf("%q: %v", header, d)
		}
	})
}

// FuzzFraming checks that any body is either read or rejected, and that valid JSON is not changed.
func FuzzFraming(f *testing.F) {
	p, err := New(Config{BaseURL: "http://127.0.0.1:1/v1", Model: "nd"})
	if err != nil {
		f.Fatal(err)
	}
	for _, kind := range []string{"text/event-stream", "text/plain", "application/json", ""} {
		f.Add([]byte(whole()), kind)
		f.Add([]byte(`{"choices":[{"index":0,"text":"NaN","logprobs":{"tokens":["a"],"token_logprobs":[-Infinity]}}]}`), kind)
		f.Add([]byte("{}\n{} [1]"), kind)
		f.Add([]byte("\xef\xbb\xbf\n: x\n\ndata: {\"a\":\"\\\"NaN\", \"b\": NaN}"), kind)
		f.Add([]byte("\x1f\x8b\x08"), kind)
	}
	f.Fuzz(func(t *testing.T, body []byte, kind string) {
		if fixed := repaired(body); json.Valid(body) && !bytes.Equal(fixed, body) {
			t.Fatalf("%q becomes %q", body, fixed)
		} else if again := repaired(fixed); !bytes.Equal(fixed, again) {
			t.Fatalf("%q becomes %q, and then %q", body, fixed, again)
		}
		e, err := read(&http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(iotest.OneByteReader(bytes.NewReader(body)))})
		var refused *refusal
		if err != nil {
			if !errors.As(err, &refused) {
				t.Fatalf("%q: %v", body, err)
			}
			e := p.refused(refused)
			fails(t, e, e.Kind)
			return
		}
		defer e.Close()
		readsToEnd(t, e)
	})
}

// FuzzNumbers checks that any spelling of a number is read or reported as unknown, without an error, and
// that a piece is read whatever its other fields contain.
func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"1", "-1", "1.5", `"12"`, "1e999", "null", "{}", "[1, 2]", "[1, null]", "[1.5]", `"NaN"`, "true", "[9007199254740993]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			return
		}
		var n number
		var ids tokenIDs
		for _, into := range []any{&n, &ids} {
			if err := json.Unmarshal(data, into); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
		}
		if c := n.count(); c < -1 || n.pointer() != nil && !n.known {
			t.Fatalf("%s: %d", data, c)
		}
		for _, id := range ids {
			if id < 0 {
				t.Fatalf("%s: %v", data, ids)
			}
		}
		for _, name := range []string{"id", "created", "usage", "index", "finish_reason", "logprobs", "token_ids", "tokens", "role", "tool_calls", "reasoning"} {
			for _, form := range []string{`{%q:%s,"choices":[{"text":"a"}]}`, `{"choices":[{%q:%s,"text":"a"}]}`, `{"choices":[{"text":"a","delta":{%q:%s}}]}`} {
				piece := fmt.Sprintf(form, name, data)
				if c, err := decodeChunk([]byte(piece)); err != nil || len(c.Choices) != 1 || c.Choices[0].text() != "a" {
					t.Fatalf("%s: %+v: %v", piece, c, err)
				}
			}
		}
	})
}
