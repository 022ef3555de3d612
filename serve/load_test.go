package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// TestBodiesAreBounded checks that the total size of current requests is limited, and that an ended
// request no longer counts.
func TestBodiesAreBounded(t *testing.T) {
	asked, _ := prompts(t)
	f := newFake(t)
	begun, goOn := make(chan struct{}), make(chan struct{})
	f.hold = func(context.Context) error { begun <- struct{}{}; <-goOn; return nil }
	const body = 4 << 10
	server := served(t, func(c *Config) { c.Models[0].Predictor, c.Body, c.AtOnce = f, body, 8 })
	text := `{"prompt": ` + quoted(asked[0]) + `}`
	text += strings.Repeat(" ", body-len(text))
	ask := func() int {
		status, _, _ := visit{"POST", "/v1/completions", text, map[string]string{"Content-Type": "application/json"}}.ask(t, server.Client(), server.URL)
		return status
	}
	told := make(chan int, 4)
	for range cap(told) {
		go func() { told <- ask() }()
		<-begun
	}
	if status := ask(); status != http.StatusServiceUnavailable {
		t.Errorf("the fifth large question has status %d", status)
	}
	close(goOn)
	for range cap(told) {
		if status := <-told; status != http.StatusOK {
			t.Errorf("a question has status %d", status)
		}
	}
	go func() { <-begun }()
	if status := ask(); status != http.StatusOK {
		t.Errorf("a later question has status %d", status)
	}
}

// counting counts the calls of Accept.
type counting struct {
	net.Listener
	waits atomic.Int64
}

func (l *counting) Accept() (net.Conn, error) {
	l.waits.Add(1)
	return l.Listener.Accept()
}

// TestConnectionsAreBounded checks that the number of idle connections is limited.
func TestConnectionsAreBounded(t *testing.T) {
	s, err := New(Config{Models: []Model{{Name: "oracle", Predictor: newFake(t)}}, AtOnce: 1, Waiting: 1})
	if err != nil {
		t.Fatal(err)
	}
	inner, _, err := Listen(t.Context(), "127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	l := &counting{Listener: inner}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	const most = 66
	var open []net.Conn
	for range most + 10 {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
	}
	for _, c := range open[:most] { // wait until each is accepted
		if _, err := c.Write([]byte("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if n := l.waits.Load(); n > most {
		t.Errorf("%d connections are waited for, want at most %d", n, most)
	}
	for _, c := range open {
		c.Close()
	}
	cancel()
	if err := <-ended; err != nil && !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

// TestFaults checks that a panic in one request does not affect others.
func TestFaults(t *testing.T) {
	asked, replies := prompts(t)
	f := newFake(t)
	f.hold = func(context.Context) error { panic("a slot that is none") }
	server := served(t, func(c *Config) { c.Models[0].Predictor, c.AtOnce = f, 1 })
	q := object{"prompt": asked[0], "max_tokens": 200, "skip_special_tokens": false, "stop": "<|frame_sep|>", "include_stop_str_in_output": true}
	got, h := complete(t, server, q)
	if got.Choices[0].Text != "<|unknown_sep|><|frame_sep|>" || !strings.Contains(h.Get(reasonHeader), "a slot that is none") {
		t.Errorf("%q, because %q", got.Choices[0].Text, h.Get(reasonHeader))
	}
	f.hold = nil
	if got, _ := complete(t, server, q); got.Choices[0].Text != replies[0] {
		t.Errorf("then %q", got.Choices[0].Text)
	}
}
