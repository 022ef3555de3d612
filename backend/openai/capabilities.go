package openai

import "fmt"

// Verdict is the result of testing a capability of a server. It is Undecided if the capability
// could not be tested, or the test had no clear result.
type Verdict string

// The possible verdicts.
const (
	Yes       Verdict = "yes"
	No        Verdict = "no"
	Undecided Verdict = "unknown"
)

// Capability is one thing that a server may be able to do.
type Capability struct {
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	Seen    string  `json:"seen"`  // what the test showed; may be ""
	Means   string  `json:"means"` // what this means for the user
}

// Capabilities is the result of Probe.
type Capabilities struct {
	Place  string       `json:"place"`
	Model  string       `json:"model"`
	Models []string     `json:"models"`
	Window int          `json:"window"` // in tokens; 0: unknown
	Items  []Capability `json:"capabilities"`
	Asked  *Found       `json:"asked,omitempty"` // the dialect that was stored; nil if none was
}

// Lacks reports whether a useful capability is missing or unknown. canThink and canBOS only
// describe a server, so they never count as missing.
func (c Capability) Lacks() bool {
	return c.Verdict != Yes && c.Name != canThink && c.Name != canBOS
}

// The capabilities, by name.
const (
	canSpeak       = "speaks nd/1"
	canChat        = "steps by chat"
	canTrace       = "steps by traces"
	canThink       = "thinks first"
	canStream      = "streams"
	canShow        = "special tokens shown"
	canOneID       = "special token is one token"
	canBOS         = "begin-of-text added"
	canTokenize    = "tokenizes"
	canTakeIDs     = "token-id prompt"
	canReturnIDs   = "token ids returned"
	canStopAtID    = "stop_token_ids"
	canLogprobs    = "log probabilities"
	canChooseTwo   = "two replies (n=2)"
	canSchema      = "schema binds"
	canTellUsage   = "usage told"
	canTellCached  = "prefix cache"
	canRepeat      = "same again at temperature 0"
	canTellWindow  = "window told"
	canTellFailure = "errors told"
)

// meanings holds two texts for each capability: what it means for the user if the server has it, and if
// not. An undecided capability counts as missing.
var meanings = map[string][2]string{
	canSpeak:       {"predictions work", "this model cannot be stepped by texts: serve one that was trained on nd/1, or ask it by chat"},
	canChat:        {"predictions work, as well as the model can run code in its head", "this model cannot be stepped by chat"},
	canTrace:       {"predictions work, forwards alone", "this model is no Code World Model, or cannot be asked as one: another --dialect may do"},
	canThink:       {"answers take their time; extra = '{\"reasoning_effort\": \"low\"}' has many models think less", "answers come at once"},
	canStream:      {"states appear as they are written", "a state appears only when it is complete"},
	canShow:        {"replies can be read", "replies cannot be read: the server must show special tokens (llama-server: preserved_tokens or --special; vLLM: skip_special_tokens)"},
	canOneID:       {"prompts are what the model was trained on", "the model's vocabulary lacks the token: map the names of its own with [model.tokens]"},
	canBOS:         {"prompts begin with the model's first token; set add_special_tokens if it was trained without", "prompts begin with the context; set add_special_tokens if the model was trained with a first token"},
	canTokenize:    {"prompt = \"ids\" can be used", "prompts go as text"},
	canTakeIDs:     {"prompt = \"ids\" can be used", "prompts go as text"},
	canReturnIDs:   {"with prompt = \"ids\" the server's cache serves the model's own tokens", "with prompt = \"ids\" replies are tokenized anew, which may lose a part of the cache"},
	canStopAtID:    {"stop_token_ids can be set beside the text that ends a reply", "replies end at text alone, which is enough"},
	canLogprobs:    {"predictions have a confidence", "predictions have no confidence"},
	canChooseTwo:   {"several candidates cost one request", "several candidates cost a request each"},
	canSchema:      {"replies can be held to a form", "replies are checked after they came"},
	canTellUsage:   {"npdb knows how full the window is", "npdb cannot tell how full the window is before the server refuses"},
	canTellCached:  {"a step costs the step", "either each step costs the whole text, or the server does not tell (vLLM: --enable-prompt-tokens-details; SGLang: --enable-cache-report)"},
	canRepeat:      {"a question asked again has the same answer", "a question asked again may have another answer"},
	canTellWindow:  {"npdb compacts a text in time", "set window, or npdb learns it from a refusal"},
	canTellFailure: {"failures are told in the server's words", "failures are told by their status alone"},
}

func (c *Capabilities) add(name string, verdict Verdict, seen string, args ...any) {
	means := meanings[name][1]
	if verdict == Yes {
		means = meanings[name][0]
	}
	c.Items = append(c.Items, Capability{Name: name, Verdict: verdict, Seen: fmt.Sprintf(seen, args...), Means: means})
}

// verdict returns the verdict on a capability, or Undecided if it was not tested.
func (c *Capabilities) verdict(name string) Verdict {
	for _, item := range c.Items {
		if item.Name == name {
			return item.Verdict
		}
	}
	return Undecided
}

// Usable reports whether npdb can step with this model.
func (c *Capabilities) Usable() bool {
	return c.verdict(canSpeak) == Yes || c.verdict(canChat) == Yes || c.verdict(canTrace) == Yes
}

// Rows returns the rows of a table for display: name, verdict, and details with the meaning.
func (c *Capabilities) Rows() [][]string {
	rows := make([][]string, 0, len(c.Items))
	for _, item := range c.Items {
		says := item.Means
		if item.Seen != "" {
			says = item.Seen + ": " + says
		}
		rows = append(rows, []string{item.Name, string(item.Verdict), says})
	}
	return rows
}

func verdict(yes bool) Verdict {
	if yes {
		return Yes
	}
	return No
}
