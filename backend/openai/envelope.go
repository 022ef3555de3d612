package openai

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// serverError is the error object of a server, in any of the known formats.
type serverError struct {
	Message string
	Type    string
	Param   string   // the request field to which the error refers; "" if unknown
	Code    int      // the HTTP status; 0 if absent
	word    string   // the error's code, if it is a word
	fields  []string // optional request fields that the error names
	Nested  bool     // the error object was the value of a field "error"
	// window and prompt are the numbers of tokens that llama-server reports in the error; 0 if
	// unknown.
	window, prompt int
}

func (e *serverError) Error() string { return e.Message }

// decodeEnvelope decodes the error object in a response body. It knows these formats:
//
//	{"error": {"message", "type", "code"}}             OpenAI, vLLM, llama-server, Ollama
//	{"object": "error", "message", "type", "code"}     SGLang, older vLLM
//	{"error": "text"}, {"detail": …}                   proxies, FastAPI
//	{"errors": [{"message"}]}                          Cloudflare
func decodeEnvelope(body []byte) (serverError, bool) {
	var raw struct {
		Error   json.RawMessage `json:"error"`
		Detail  json.RawMessage `json:"detail"`
		Message json.RawMessage `json:"message"`
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
		Param   json.RawMessage `json:"param"`
		Errors  json.RawMessage `json:"errors"`
		Window  json.RawMessage `json:"n_ctx"`
		Prompt  json.RawMessage `json:"n_prompt_tokens"`
	}
	var list []json.RawMessage // Google sends a list of one error
	if json.Unmarshal(body, &list) == nil && len(list) == 1 {
		body = list[0]
	}
	if json.Unmarshal(body, &raw) != nil {
		return serverError{}, false
	}
	nested := len(raw.Error) > 0 && raw.Error[0] == '{'
	if nested {
		body := raw.Error
		raw.Error, raw.Message = nil, nil
		if json.Unmarshal(body, &raw) != nil {
			return serverError{}, false
		}
	}
	e := serverError{Type: text(raw.Type), Param: text(raw.Param), Nested: nested}
	code := text(raw.Code)
	var err error
	if e.Code, err = strconv.Atoi(code); err != nil {
		e.word = code
	}
	e.window, _ = strconv.Atoi(text(raw.Window))
	e.prompt, _ = strconv.Atoi(text(raw.Prompt))
	if e.Code == 0 && (code == "context_length_exceeded" || e.Type == "") {
		e.Type = code // OpenAI's codes are words
	}
	for _, m := range []json.RawMessage{raw.Message, raw.Error, raw.Detail} {
		if e.Message == "" {
			e.Message = text(m)
		}
	}
	for _, list := range []json.RawMessage{raw.Detail, raw.Errors} {
		if said := listed(list); said != "" && (e.Message == "" || e.Message == text(list)) {
			e.Message = said
		}
	}
	return e, e.Message != "" || e.Type != ""
}

// listed returns the messages of a list of errors in the format of FastAPI or Cloudflare, or "" for
// anything else. Of FastAPI's errors it uses only loc and msg, because other fields repeat the
// request.
func listed(raw json.RawMessage) string {
	var list []struct {
		Loc     []any  `json:"loc"`
		Msg     string `json:"msg"`
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var all []string
	for _, e := range list {
		said := e.Message + e.Msg
		var place []string
		for _, part := range e.Loc {
			place = append(place, fmt.Sprint(part))
		}
		if len(place) > 0 {
			said = strings.Join(place, ".") + ": " + said
		}
		all = append(all, said)
	}
	return strings.Join(all, "; ")
}

// text returns the value of a JSON string, and for other values the JSON itself; "" for null.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil || len(raw) == 0 {
		return s
	}
	return string(raw)
}

var (
	forChat  = regexp.MustCompile(`(?i)\bchat model\b|chat/completions|does not support (?:the )?completions|only supports? (?:the )?chat`)
	noChat   = regexp.MustCompile(`(?i)\bnot a chat model\b|\bnot in (?:the )?v1/chat/completions`)
	noPath   = regexp.MustCompile(`(?i)unexpected endpoint|unknown (?:request )?(?:url|path|endpoint)|no route|(?:path|page|route|endpoint|url) (?:was )?not found|^not found\b|method not allowed|not available for that uri`)
	noQuota  = regexp.MustCompile(`(?i)insufficient[_ ](?:quota|balance|credit|fund)|(?:exceeded|out of) (?:your )?(?:current |monthly )?(?:quota|credit)|billing|payment required`)
	noneSuch = regexp.MustCompile(`(?i)model|does not exist`)
)

// isForChat reports whether the error says that the server or the model supports only chat.
func (e serverError) isForChat() bool {
	return forChat.MatchString(e.Message) && !noChat.MatchString(e.Message) && !e.isNoPath()
}

// isNoPath reports whether the error says that the address does not exist.
func (e serverError) isNoPath() bool { return noPath.MatchString(e.Message) }

// isNoModel reports whether the error says that the model does not exist.
func (e serverError) isNoModel() bool {
	return !e.isNoPath() && noneSuch.MatchString(e.Message+" "+e.Type)
}

// isNoQuota reports whether the error says that the quota is used up.
func (e serverError) isNoQuota() bool {
	return noQuota.MatchString(e.Message + " " + e.Type + " " + e.word)
}

// tooLong reports whether the server refused a prompt because of its length.
func (e serverError) tooLong() bool {
	if strings.Contains(e.Type, "exceed_context_size") || strings.Contains(e.Type, "context_length_exceeded") {
		return true
	}
	m := strings.ToLower(e.Message)
	for _, words := range []string{
		"maximum context length", "context length is only", "exceeds the available context size",
		"longer than the model's context length", "longer than the maximum model length",
		"exceeds the maximum allowed length", "maximum model length",
	} {
		if strings.Contains(m, words) {
			return true
		}
	}
	return false
}

var (
	windowTold = regexp.MustCompile(`(?i)(?:maximum (?:context|model) length|available context size|context length)(?: is| of| \()?(?: only)? ?\(?(\d+)`)
	// With "at least", vLLM reports a lower bound: it has stopped counting there.
	promptTold = regexp.MustCompile(`(?i)(?:request has|prompt contains|input \() ?(\d+)(?: (?:input|prompt) tokens|\)| tokens)|\(?(\d+)(?: in the (?:messages|prompt)| tokens from the input)`)
)

// lengths returns the window and the length of the prompt in tokens, as the error reports them; 0
// for a number that is missing.
func (e serverError) lengths() (window, prompt int) {
	if e.window > 0 {
		return e.window, e.prompt
	}
	if m := windowTold.FindStringSubmatch(e.Message); m != nil {
		window, _ = strconv.Atoi(m[1])
	}
	if m := promptTold.FindStringSubmatch(e.Message); m != nil {
		prompt, _ = strconv.Atoi(m[1] + m[2])
	}
	return window, prompt
}
