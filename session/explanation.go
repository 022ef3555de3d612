package session

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/redact"
)

// Explaining configures the model that why asks.
type Explaining struct {
	// Talker sends requests to the model, or is nil if there is no model. Without a Talker, Missing says why
	// there is none and what to set. With a Talker, Missing is advice for a server that does not answer
	// chat requests.
	Talker  backend.Talker
	Missing string
	// Redact hides secrets in requests to the model; nil hides nothing.
	Redact *redact.Redactor
	// Consent is the user's consent to send the program to the model's server; nil if none is needed.
	Consent nav.Consent
}

// ClaimVerdict is the result of checking a claim against the states.
type ClaimVerdict string

// The verdicts on claims.
const (
	ClaimRight     ClaimVerdict = "right"
	ClaimWrong     ClaimVerdict = "wrong"
	ClaimUnchecked ClaimVerdict = "unchecked" // npdb cannot tell
)

// Claim is a statement of a model about the run, checked against the states.
type Claim struct {
	Text    string // as the model wrote it
	Event   int    // the event that the claim is about, -1 if there is none
	Visit   int    // the visit of the history, in neural mode; 0 for none
	Name    string // the expression that the claim gives a value, "" for a claim about the event alone
	Said    string // the claimed value or place
	Found   string // the true value or place, "" if it is not known
	Verdict ClaimVerdict
	Why     string     // a reason or note for a claim that is not right
	Origin  dsl.Origin // of the state that the claim is about
}

// Explanation is a model's answer to why.
type Explanation struct {
	Question string // "" if why had no question
	Model    string
	// Text is the model's answer, with the verdicts added after claims. Struck holds the byte ranges of
	// Text with wrong claims.
	Text   string
	Struck [][2]int
	Claims []Claim
	// Predicted reports that the states are predicted: the program did not run.
	Predicted bool
	// Cut says why the explanation is incomplete, or is "".
	Cut   string
	Usage backend.Usage
}

// mostFound limits the characters of a true value in the text.
const mostFound = 120

// verdictText returns the text to add after a claim.
func (c *Claim) verdictText() string {
	var notes []string
	switch c.Verdict {
	case ClaimRight:
		if c.Origin != dsl.Real && c.Origin != dsl.Given && c.Origin != 0 {
			notes = append(notes, c.Origin.String())
		}
	case ClaimWrong:
		if c.Found != "" {
			notes = append(notes, shorten(c.Found, mostFound))
		}
		if c.Why != "" {
			notes = append(notes, c.Why)
		}
	default:
		notes = append(notes, "unchecked")
	}
	if notes == nil {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

// summary returns a line with the number of each verdict, or "" if there are no claims.
func (e *Explanation) summary() string {
	count := map[ClaimVerdict]int{}
	for _, c := range e.Claims {
		count[c.Verdict]++
	}
	if len(e.Claims) == 0 {
		return ""
	}
	against := "the recording"
	if e.Predicted {
		against = "the predicted states"
	}
	text := fmt.Sprintf("%s checked against %s: %d right, %d wrong", plural(len(e.Claims), "claim", "claims"), against, count[ClaimRight], count[ClaimWrong])
	if n := count[ClaimUnchecked]; n > 0 {
		text += fmt.Sprintf(", %d unchecked", n)
	}
	return text + "."
}
