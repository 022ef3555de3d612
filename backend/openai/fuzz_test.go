package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/npdb/npdb/dsl"
)

// Whatever a server streams, what is passed on is whole data lines, and none
// that go-openai takes for an error.
func FuzzEvents(f *testing.F) {
	f.Add([]byte(whole()))
	f.Add([]byte(": ping\r\n\r\ndata:{\"error\":{\"message\":\"x\"}}\r\ndata: [DONE]"))
	f.Add([]byte("data: {\"choices\":[{\"index\":0,\"text\":\"a"))
	f.Add([]byte("event: x\ndata:\ndata: \n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		out, err := io.ReadAll(newEvents(io.NopCloser(bytes.NewReader(body))))
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) { // an event is cut
			t.Fatal(err) // the input is far below a line's limit
		}
		if len(out) > 0 && out[len(out)-1] != '\n' {
			t.Fatalf("%q ends within a line", out)
		}
		for line := range bytes.Lines(out) {
			if !bytes.HasPrefix(line, []byte("data: ")) || bytes.HasPrefix(line, []byte(`data: {"error":`)) {
				t.Fatalf("passed on: %q", line)
			}
		}
	})
}

// Any way in which a stream of events can be spelled tells the same events.
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
			end := ends[r.IntN(len(ends))] // in one event: \r and \n make one end
			if r.IntN(3) == 0 {
				stream.WriteString(": a comment" + end + "event: message" + end + "id" + end + end)
			}
			if r.IntN(4) == 0 {
				stream.WriteString("data: null" + end + end)
			}
			object, _ := json.Marshal(map[string]any{"choices": []any{i, "a: b", nil}, "é": "\u2028"})
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
			want.Write(object)
			want.WriteString("\n")
		}
		out, err := io.ReadAll(newEvents(io.NopCloser(iotest.OneByteReader(strings.NewReader(stream.String())))))
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for line := range strings.Lines(string(out)) {
			var compact bytes.Buffer
			if err := json.Compact(&compact, []byte(strings.TrimPrefix(line, "data: "))); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			got.WriteString(compact.String() + "\n")
		}
		if got.String() != want.String() {
			t.Errorf("%q\nis read as\n%s\nwant\n%s", stream.String(), got.String(), want.String())
		}
	})
}

// A reply is judged in one of two ways, whatever its pieces are: it is complete,
// or there is an error with a message. Its text stays within the bound.
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
			if err := in.take(data); err != nil {
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

// Any body of a failure makes one printable line without the key.
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

// Any body is read as a stream, or refused; of what is JSON no character is changed.
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
		res, err := stream(&http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(iotest.OneByteReader(bytes.NewReader(body)))})
		var refused *refusal
		if err != nil {
			if !errors.As(err, &refused) {
				t.Fatalf("%q: %v", body, err)
			}
			e := p.refused(refused)
			fails(t, e, e.Kind)
			return
		}
		defer res.Body.Close()
		out, err := io.ReadAll(res.Body)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%q: %v", body, err)
		}
		for line := range bytes.Lines(out) {
			data, ok := bytes.CutPrefix(line, []byte("data: "))
			if !ok || bytes.HasPrefix(line, []byte(`data: {"error":`)) {
				t.Fatalf("passed on: %q", line)
			}
			_, _ = decodeChunk(data)
		}
	})
}

// FuzzNumbers checks that any spelling of a number is read or reported as unknown, and never
// fails.
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
		var w word
		var u usage
		for _, into := range []any{&n, &ids, &w, &u} {
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
	})
}
