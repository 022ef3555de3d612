//go:build unix

package session_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// whyConsent is the user's consent, which has not been given.
type whyConsent struct{ given, answered bool }

func (c *whyConsent) Given() bool { return c.given }

func (c *whyConsent) Question() string {
	if c.answered {
		return ""
	}
	return "Send it?"
}

func (c *whyConsent) Answer(yes bool) error {
	c.given, c.answered = yes, true
	return nil
}

func (c *whyConsent) Refusal() string { return "Nothing is sent" }

// TestWhyAsksFirst checks that nothing is sent before the user has consented, and nothing after a refusal.
func TestWhyAsksFirst(t *testing.T) {
	for _, yes := range []bool{true, false} {
		k, allowed := &talker{replies: []string{"It is so."}}, &whyConsent{}
		d := debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "p.py", "x = 1\n")}, explained(k), func(c *session.Config) { c.Explain.Consent = allowed })
		if a := d.s.Do(t.Context(), session.Why{}); a.Err == nil || len(k.asked) > 0 {
			t.Errorf("without a question: %+v", a)
		}
		d.say("why")
		if d.last.Waiting != session.ForConfirmation || !strings.HasPrefix(d.last.Prompt, "Send it?") || len(k.asked) > 0 {
			t.Errorf("it asks %q (%v)", d.last.Prompt, d.last.Waiting)
		}
		answer, want := "n", "Nothing is sent.\n"
		if yes {
			answer, want = "y", "It is so.\n"
		}
		if got := d.say(answer); got != want || (len(k.asked) == 1) != yes {
			t.Errorf("%s: %q; it was asked %d times", answer, got, len(k.asked))
		}
		if got := d.say("why"); !yes && got != "*** why: Nothing is sent\n" {
			t.Errorf("later: %q", got)
		}
	}
}

// TestWhyRedacts checks that source, values, origins and question are sent without secrets, and that a claim about a
// redacted value is right.
func TestWhyRedacts(t *testing.T) {
	const source = "def login(password):\n    parts = [password, 'x']\n    token = 'a' + parts[0]\n    return token\nsecret = 'hunter2hunter2'\nlogin(secret)\n"
	k := &talker{replies: []string{"`password = '<redacted>'` and `password = 'hunter2hunter2'` and `password = 'guess'`"}}
	d := debug(t, pythons.All(t)[0], trace.Options{Script: write(t, t.TempDir(), "p.py", source)}, explained(k), func(c *session.Config) { c.Explain.Redact = redactor() })
	d.say("tbreak 4", "c")
	got := d.say("why is hunter2hunter2 the password?")
	for _, m := range k.asked[0] {
		if strings.Contains(m.Content, "hunter2") {
			t.Errorf("the model gets\n%s", m.Content)
		}
	}
	if !strings.HasPrefix(got, "password = '<redacted>' and password = 'hunter2hunter2' and ~~password = 'guess'~~ ('hunter2hunter2')") {
		t.Errorf("%s", got)
	}
}
