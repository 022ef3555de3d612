package session_test

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/session"
)

// fault is one way in which a server or a network fails.
type fault struct {
	name string
	// The dialects in which it can occur; nil means all.
	dialects []openai.Dialect
	// The result of a move meanwhile: an error of a kind with these words, or without a
	// kind an answer all the same.
	kind  session.ErrorKind
	words string
	// https: the request uses TLS. proxied: it goes through a proxy. fresh: each request
	// has its own connection.
	https, proxied, fresh bool
	// The server sends so much that the race detector makes it take minutes.
	floods bool

	network func(*network)  // changes the network; nil for nothing
	server  func(*question) // replaces a good response
}

// The dialects of faults that cannot occur in all.
var (
	texts    = []openai.Dialect{openai.ND1, openai.CWM}
	chats    = []openai.Dialect{openai.Chat}
	forwards = []openai.Dialect{openai.CWM}
	nd1      = []openai.Dialect{openai.ND1}
)

// The kinds of errors.
const (
	endpoint = session.EndpointFailed
	unsaid   = session.NoPrediction
)

// failsBy makes connections end with an error.
func failsBy(err error) func(*network) { return func(n *network) { n.failing.Store(&err) } }

func faults() []fault {
	return slices.Concat(faultsOfNetworks(), faultsOfStatuses(), faultsOfStreams(), faultsOfModels())
}

func faultsOfNetworks() []fault {
	cut := func(reset bool, text string) func(*question) {
		return func(q *question) { q.breaks(reset, text) }
	}
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
	return []fault{
		{name: "connection refused", kind: endpoint, words: "no server runs there", fresh: true, network: failsBy(refusal)},
		{name: "no route", kind: endpoint, words: "no route", fresh: true, network: failsBy(noRoute)},
		{name: "name not found", kind: endpoint, words: "cannot be found", fresh: true, network: func(n *network) {
			failsBy(&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: n.name, IsNotFound: true}})(n)
		}},
		{name: "no resolver", kind: endpoint, words: "cannot be found", fresh: true, network: failsBy(unresolved("model.test"))},
		{name: "connection never made", kind: endpoint, words: "has not answered within 2m0s", fresh: true, network: failsBy(errSilent)},
		{name: "TLS to a plain port", kind: endpoint, words: "does not speak TLS", https: true, fresh: true, network: func(n *network) { n.secure.Store(nil) }},
		{name: "a proxy that wants a password, before TLS", kind: endpoint, words: "HTTPS_PROXY", https: true, proxied: true, fresh: true, server: func(q *question) {
			q.Header().Set("Proxy-Authenticate", "Basic")
			q.with(407, "text/html", "<html>Proxy Authentication Required</html>")
		}},
		{name: "a proxy that fails, before TLS", kind: endpoint, words: "HTTPS_PROXY", https: true, proxied: true, fresh: true, server: func(q *question) {
			q.with(502, "text/html", "<html>Bad Gateway</html>")
		}},
		{name: "a proxy that is away", kind: endpoint, words: "HTTPS_PROXY", https: true, proxied: true, fresh: true, network: failsBy(refusal)},
		{name: "reset before the status", kind: endpoint, words: "closed the connection", server: cut(true, "")},
		{name: "reset by a server that is called a proxy", kind: endpoint, words: "closed the connection", server: cut(true, "")},
		{name: "closed before the status", kind: endpoint, words: "closed the connection", server: cut(false, "")},
		{name: "reset in the headers", kind: endpoint, words: "no HTTP", server: cut(true, "HTTP/1.1 200 OK\r\nContent-Ty")},
		{name: "closed in the headers", kind: endpoint, words: "no HTTP", server: cut(false, "HTTP/1.1 200 OK\r\nContent-Ty")},
		{name: "reset in the stream", kind: endpoint, words: "closed the connection", server: func(q *question) {
			q.breaks(true, head+"\r\n"+q.says(q.right[:20]))
		}},
		{name: "closed in the stream", kind: unsaid, words: "broke its reply off", server: func(q *question) {
			q.breaks(false, head+"Transfer-Encoding: chunked\r\n\r\n"+chunked(q.says(q.right[:20])))
		}},
		{name: "closed in an event", kind: unsaid, words: "broke its reply off", server: func(q *question) {
			q.breaks(false, head+"Connection: close\r\n\r\n"+q.says(q.right[:20])[:40])
		}},
		{name: "a header that is none", kind: endpoint, words: "no HTTP", server: cut(false, "HTTP/1.1 200 OK\r\nRetry-After: soon\x1b\r\n\r\n")},
		{name: "no HTTP", kind: endpoint, words: "no HTTP", server: cut(false, "SSH-2.0-OpenSSH_9.2p1 Debian\r\n")},
		{name: "headers without end", floods: true, dialects: nd1, kind: endpoint, words: "", server: func(q *question) {
			q.breaks(false, head+strings.Repeat("X-Long: "+strings.Repeat("x", 60<<10)+"\r\n", 200))
		}},
		{name: "a longer length than the body's", kind: endpoint, words: "", server: cut(false, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{\"choices\":[")},
		{name: "a shorter length than the body's", kind: unsaid, words: "broke its reply off", server: cut(false, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{\"choices\":[]}")},
		{name: "a length that is none", kind: endpoint, words: "", server: cut(false, head+"Content-Length: many\r\n\r\n")},
		{name: "stalled before the headers", kind: endpoint, words: "has not answered within 2m0s", server: (*question).wait},
		{name: "stalled before the first word", kind: endpoint, words: "has not answered within 2m0s", server: func(q *question) {
			q.stream(": wait\n\n")
			q.wait()
		}},
		{name: "stalled in the stream", kind: endpoint, words: "stalled", server: func(q *question) {
			q.stream(q.says(q.right[:20]))
			q.wait()
		}},
		{name: "alive, and never says a word", kind: endpoint, words: "has not answered within 2m0s", server: func(q *question) {
			for q.r.Context().Err() == nil {
				q.stream(": keep-alive\n\n")
				pause(q, 10*time.Second)
			}
		}},
		{name: "a byte every minute", dialects: nd1, kind: endpoint, words: "has not answered within 2m0s", server: func(q *question) { q.byByte(time.Minute) }},
		{name: "a byte every millisecond", server: func(q *question) { q.byByte(time.Millisecond) }},
		{name: "closes after each answer", server: func(q *question) {
			body := q.says(q.right) + q.ends("stop") + done
			q.breaks(false, fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body))
		}},
		{name: "breaks off once", server: func(q *question) {
			if q.n == 0 {
				q.breaks(true, "")
				return
			}
			q.answer()
		}},
		{name: "dies in the middle and is away", kind: endpoint, words: "no server runs there", server: func(q *question) {
			failsBy(refusal)(q.at)
			q.breaks(true, head+"\r\n"+q.says(q.right[:20]))
		}},
	}
}

// pause waits for a duration, or until the request is cancelled.
func pause(q *question, d time.Duration) {
	select {
	case <-time.After(d):
	case <-q.r.Context().Done():
	}
}

// byByte sends a good response as a stream of single bytes with pauses.
func (q *question) byByte(d time.Duration) {
	for _, b := range []byte(q.says(q.right) + q.ends("stop") + done) {
		q.stream(string([]byte{b}))
		pause(q, d)
		if q.r.Context().Err() != nil {
			return
		}
	}
}

func chunked(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

func faultsOfStatuses() []fault {
	said := func(message string) string {
		return fmt.Sprintf(`{"error":{"message":%s,"type":"error","param":null,"code":null}}`, inJSON(message))
	}
	answers := func(status int, body string, header ...string) func(*question) {
		return func(q *question) {
			for i := 0; i < len(header); i += 2 {
				q.Header().Set(header[i], header[i+1])
			}
			kind := "application/json"
			if strings.HasPrefix(body, "<") {
				kind = "text/html; charset=utf-8"
			}
			q.with(status, kind, body)
		}
	}
	const page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in</body></html>"
	return []fault{
		{name: "a login page", kind: endpoint, words: "a web page", server: answers(200, page)},
		{name: "400", kind: endpoint, words: "refuses the question (HTTP 400): no good", server: answers(400, said("no good"))},
		{name: "401", kind: endpoint, words: "OPENAI_API_KEY", server: answers(401, said("Incorrect API key provided: "+faultKey))},
		{name: "402", kind: endpoint, words: "no quota left", server: answers(402, said("Insufficient balance"))},
		{name: "403", kind: endpoint, words: "does not allow this", server: answers(403, said("not for "+faultKey))},
		{name: "403 with a web page", kind: endpoint, words: "does not allow this", server: answers(403, page)},
		{name: "404", kind: endpoint, words: "HTTP 404", server: answers(404, `{"detail":"Not Found"}`)},
		{name: "404 with a web page", kind: endpoint, words: "a web page", server: answers(404, page)},
		{name: "404, the model was unloaded", kind: endpoint, words: `has no model "nd"`, server: answers(404, said("The model `nd` does not exist."))},
		{name: "404, the model was unloaded from Ollama", kind: endpoint, words: `has no model "nd"`, server: answers(404, `{"error":{"message":"model \"nd\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`)},
		{name: "405", kind: endpoint, words: "HTTP 405", server: answers(405, `{"detail":"Method Not Allowed"}`)},
		{name: "407", kind: endpoint, words: "proxy", server: answers(407, page, "Proxy-Authenticate", "Basic realm=x")},
		{name: "408", kind: endpoint, words: "HTTP 408", server: answers(408, "")},
		{name: "413", kind: endpoint, words: "HTTP 413", server: answers(413, "<html><h1>413 Request Entity Too Large</h1><hr>nginx</html>")},
		{name: "429", kind: endpoint, words: "is asked too often (HTTP 429)", server: answers(429, said("slow down"))},
		{name: "429 for a while", kind: endpoint, words: "asked 3 times", server: answers(429, said("slow down"), "Retry-After", "7")},
		{name: "429 for an hour", kind: endpoint, words: "It asks to wait 1h0m0s", server: answers(429, said("slow down"), "Retry-After", "3600")},
		{name: "429 for a time that is none", kind: endpoint, words: "asked 3 times", server: answers(429, said("slow down"), "Retry-After", "soon")},
		{name: "429 for two at once", server: func(q *question) {
			if q.n < 2 {
				answers(429, said("Too many concurrent requests"))(q)
				return
			}
			q.answer()
		}},
		{name: "429, the quota", kind: endpoint, words: "no quota left", server: answers(429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`)},
		{name: "500", kind: endpoint, words: "CUDA out of memory", server: answers(500, said("CUDA out of memory"))},
		{name: "500 with nothing", kind: endpoint, words: "HTTP 500", server: answers(500, "")},
		{name: "501", kind: endpoint, words: "HTTP 501", server: answers(501, said("not implemented"))},
		{name: "502 with a web page", kind: endpoint, words: "a web page", server: answers(502, "<html><h1>502 Bad Gateway</h1></html>")},
		{name: "503", kind: endpoint, words: "Loading model", server: answers(503, said("Loading model"))},
		{name: "504", kind: endpoint, words: "HTTP 504", server: answers(504, "<html>504 Gateway Time-out</html>")},
		{name: "529", kind: endpoint, words: "Overloaded", server: answers(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)},
		{name: "a status below all", kind: endpoint, words: "", server: func(q *question) { q.breaks(false, "HTTP/1.1 099 What\r\n\r\n") }},
		{name: "204", kind: endpoint, words: "empty body", server: func(q *question) { q.WriteHeader(204) }},
		{name: "a redirect elsewhere", kind: endpoint, words: "npdb does not follow", server: answers(307, "", "Location", "https://user:"+faultKey+"@elsewhere.test/v1/completions?key="+faultKey)},
		{name: "a permanent redirect elsewhere", kind: endpoint, words: "npdb does not follow", server: answers(308, "", "Location", "http://elsewhere.test/")},
		{name: "a redirect to nowhere", kind: endpoint, words: "", server: answers(302, "")},
		{name: "an error in a 200", kind: endpoint, words: "engine is dead", server: answers(200, said("the engine is dead"))},
		{name: "a key in an error", kind: endpoint, words: "[secret]", server: func(q *question) {
			answers(500, said("asked with "+q.r.Header.Get("Authorization")+" and "+q.r.Header.Get("X-Team")))(q)
		}},
		{name: "a request echoed in an error", kind: endpoint, words: "[secret]", server: func(q *question) {
			head := strings.Builder{}
			_ = q.r.Header.Write(&head) // a Builder never fails
			answers(400, said(head.String()+string(q.body)))(q)
		}},
		{name: "what steers a terminal in an error", kind: endpoint, words: "HTTP 500", server: answers(500, said(steers))},
		{name: "what steers a terminal, and no JSON", kind: endpoint, words: "HTTP 400", server: answers(400, steers)},
		{name: "a question too long for vLLM", kind: endpoint, words: "32 tokens", server: answers(400, said("This model's maximum context length is 32 tokens. However, you requested 2048 output tokens and your prompt contains at least 2000 input tokens, for a total of at least 4048 tokens."))},
		{name: "a question too long for llama-server", kind: endpoint, words: "is 32", server: answers(400, `{"error":{"code":400,"message":"request (2000 tokens) exceeds the available context size (32 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":2000,"n_ctx":32}}`)},
		{name: "a question too long for SGLang", kind: endpoint, words: "is 32", server: answers(400, `{"object":"error","message":"The input (2000 tokens) is longer than the model's context length (32 tokens).","type":"BadRequestError","param":null,"code":400}`)},
		{name: "a question too long for OpenAI", kind: endpoint, words: "too much", server: answers(400, `{"error":{"message":"too much","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`)},
		{name: "garbage that says it is gzip", kind: endpoint, words: "", server: answers(200, "\x1f\x8b\x08\x00 this is none", "Content-Encoding", "gzip")},
		{name: "an error that says it is gzip", kind: endpoint, words: "", server: answers(500, "\x1f\x8b\x08\x00\xff\xfe", "Content-Encoding", "gzip")},
		{name: "nothing with 200", kind: endpoint, words: "empty body", server: answers(200, "")},
		{name: "half of JSON with 200", kind: unsaid, words: "broke its reply off", server: answers(200, `{"choices":[{"text":`)},
		{name: "a body without end", floods: true, dialects: nd1, kind: endpoint, words: "", server: func(q *question) {
			q.Header().Set("Content-Type", "application/json")
			q.floods(`{"choices":[`, strings.Repeat(" ", 1<<20))
		}},
		{name: "an error without end", floods: true, dialects: nd1, kind: endpoint, words: "HTTP 500", server: func(q *question) {
			q.WriteHeader(http.StatusInternalServerError)
			q.floods("x", strings.Repeat("x", 1<<20))
		}},
	}
}

// steers contains escape sequences and characters that would control a terminal: its title
// and clipboard, its colours, the direction of its text, its end.
const steers = "\x00\a\b\x1b]0;PWNED\a\x1b]52;c;UFdORUQ=\a\x1b[31mPWNED\x1b[0m\u202ePWNED\u2066\u009b31mPWNED\x7f\u2028"
