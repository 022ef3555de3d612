package shared_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/shared"
)

// none is a command that gives no answer.
func none(*command.Interpreter) []*session.Answer { return nil }

// guest records the calls of its functions.
type guest struct {
	shared.Guest
	told []string
}

func newGuest() *guest {
	g := &guest{}
	g.Began = func(words string) { g.told = append(g.told, "began "+words) }
	g.Done = func(answers []*session.Answer) { g.told = append(g.told, "done") }
	g.Ended = func() { g.told = append(g.told, "ended") }
	return g
}

// TestTurns checks that users of one session never overlap. The race detector sees the counter too.
func TestTurns(t *testing.T) {
	s := shared.New()
	s.Open(nil)
	uses, within := 0, false
	var users sync.WaitGroup
	for range 8 {
		users.Go(func() {
			for range 100 {
				_, err := s.Use(t.Context(), nil, "n", func(*command.Interpreter) []*session.Answer {
					if within {
						t.Error("two users at once")
					}
					within = true
					uses++
					within = false
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	users.Wait()
	if uses != 800 {
		t.Errorf("%d uses", uses)
	}
}

// TestGuest checks the notifications of a guest, and the notifications of other users about the guest.
func TestGuest(t *testing.T) {
	s, g := shared.New(), newGuest()
	s.Open(nil)
	leave, err := s.Join(&g.Guest)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Join(&newGuest().Guest); !errors.Is(err, shared.ErrJoined) {
		t.Errorf("a second guest: %v", err)
	}
	for _, use := range []struct {
		by    *shared.Guest
		words string
	}{{nil, "state"}, {nil, ""}, {&g.Guest, "next"}, {&g.Guest, ""}} {
		if _, err := s.Use(t.Context(), use.by, use.words, none); err != nil {
			t.Error(err)
		}
	}
	if want := []string{"began state", "done"}; !slices.Equal(g.told, want) {
		t.Errorf("the guest was told %q", g.told)
	}
	if did := s.Did(); !slices.Equal(did, []string{"next"}) || len(s.Did()) > 0 {
		t.Errorf("the guest did %q", did)
	}
	if !s.Joined() {
		t.Error("the guest has not joined")
	}
	leave()
	if s.Joined() {
		t.Error("the guest has left")
	}
	alone := newGuest()
	alone.Alone = true
	if _, err := s.Join(&alone.Guest); err != nil {
		t.Errorf("alone: %v", err)
	}
	if _, err := s.Use(t.Context(), nil, "n", none); !errors.Is(err, shared.ErrKept) {
		t.Errorf("another user of a kept session: %v", err)
	}
	s.End()
	s.End()
	if !slices.Equal(alone.told, []string{"ended"}) {
		t.Errorf("the guest was told %q", alone.told)
	}
	if _, err := s.Use(t.Context(), nil, "n", none); !errors.Is(err, shared.ErrEnded) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := s.Join(&g.Guest); !errors.Is(err, shared.ErrEnded) {
		t.Errorf("joined after the end: %v", err)
	}
}

// TestGivenUp checks that a waiting user can stop waiting, and that Wait waits for the running command.
func TestGivenUp(t *testing.T) {
	s := shared.New()
	s.Open(nil)
	began, ends := make(chan struct{}), make(chan struct{})
	go func() {
		_, _ = s.Use(context.Background(), nil, "c", func(*command.Interpreter) []*session.Answer {
			close(began)
			<-ends
			return nil
		})
	}()
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Use(ctx, nil, "n", none); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	s.End()
	close(ends)
	s.Wait()
}
