package session_test

import (
	"strings"
	"time"

	"github.com/npdb/npdb/backend/openai"
)

func faultsOfStreams() []fault {
	events := func(events ...string) func(*question) {
		return func(q *question) { q.stream(events...) }
	}
	const failure = `{"error":{"message":"the engine died","type":"InternalServerError","code":500}}`
	const nothing = "data: {\"choices\":[]}\n\n"
	return []fault{
		{name: "an error at once in the stream", kind: endpoint, words: "the engine died", server: events("data: " + failure + "\n\n")},
		{name: "an error in the middle of the stream", kind: endpoint, words: "the engine died", server: func(q *question) {
			q.stream(q.says(q.right[:20]), "data: "+failure+"\n\n", done)
		}},
		{name: "an error as an event of its own", kind: endpoint, words: "the engine died", server: func(q *question) {
			q.stream(q.says(q.right[:20]), "event: error\ndata: "+failure+"\n\n")
		}},
		{name: "a chunk that is no JSON", kind: endpoint, words: "no reply of this API", server: func(q *question) {
			q.stream(q.says(q.right[:20]), "data: {\"choices\":[{]}\n\n", q.says(q.right[20:]), q.ends("stop"), done)
		}},
		{name: "a chunk of another form", kind: endpoint, words: "no reply of this API", server: events("data: 5\n\n", "data: [1]\n\n", done)},
		{name: "choices that are none", kind: endpoint, words: "no reply of this API", server: events("data: {\"choices\":{\"0\":\"x\"}}\n\n", done)},
		{name: "half of a character", dialects: texts, kind: unsaid, server: func(q *question) {
			q.stream(q.chunk("\"\xf0\x9f\"", ""), q.chunk("\"\x98\"", ""), q.says(q.right), q.ends("stop"), done)
		}},
		{name: "half of a character in words before", dialects: chats, server: func(q *question) {
			q.stream(q.chunk("\"\xf0\x9f\"", ""), q.says(q.right), q.ends("stop"), done)
		}},
		{name: "half of a pair", server: func(q *question) {
			q.stream(q.chunk(`"\ud83d"`, ""), q.ends("stop"), done)
		}, kind: unsaid},
		{name: "no choices", kind: unsaid, server: events(nothing, done)},
		{name: "choices null", kind: unsaid, server: events("data: {\"choices\":null}\n\n", done)},
		{name: "no event", kind: endpoint, words: "no event in it", server: events(": nothing\n\n")},
		{name: "done at once", kind: endpoint, words: "no event in it", server: events(done)},
		{name: "no end of the stream", kind: unsaid, server: func(q *question) { q.stream(q.says(q.right[:20])) }},
		{name: "an end without a word", kind: unsaid, words: "said nothing", dialects: []openai.Dialect{openai.ND1, openai.Chat}, server: func(q *question) { q.stream(q.ends("stop"), done) }},
		{name: "the length at once", kind: unsaid, server: func(q *question) { q.stream(q.ends("length"), done) }},
		{name: "aborted", kind: endpoint, words: "gave the question up", server: func(q *question) { q.stream(q.says(q.right[:20]), q.ends("abort"), done) }},
		{name: "content_filter", kind: endpoint, words: "filtered", server: func(q *question) { q.stream(q.says(q.right[:20]), q.ends("content_filter"), done) }},
		{name: "a stream without end", kind: unsaid, words: "did not end", server: func(q *question) {
			q.stream(q.says(q.right[:20]))
			for q.r.Context().Err() == nil {
				q.stream(q.says("all work and no play "))
			}
		}},
		{name: "chunks without end and without a word", kind: endpoint, words: "has not answered within", server: func(q *question) {
			for q.r.Context().Err() == nil {
				q.stream(nothing)
				pause(q, time.Second)
			}
		}},
		{name: "a line without end", floods: true, dialects: nd1, kind: endpoint, words: "more than 16 MiB", server: func(q *question) {
			q.stream("data: ")
			q.floods("{", strings.Repeat("x", 64<<10))
		}},
		{name: "a giant of a chunk", floods: true, dialects: nd1, kind: endpoint, words: "more than 16 MiB", server: func(q *question) {
			q.stream(q.says(strings.Repeat("x", 17<<20)), q.ends("stop"), done)
		}},
		{name: "deep nesting", kind: endpoint, words: "no reply of this API", server: func(q *question) {
			q.stream("data: {\"choices\":"+strings.Repeat("[", 20000)+strings.Repeat("]", 20000)+"}\n\n", done)
		}},
		{name: "another reply first", server: func(q *question) {
			other := strings.Replace(q.says("no"), `"index":0`, `"index":1`, 1)
			q.stream(other, q.says(q.right), q.ends("stop"), done)
		}},
	}
}

func faultsOfModels() []fault {
	// instead replaces a part of the answer.
	instead := func(old, with string) func(*question) {
		return func(q *question) {
			changed := strings.Replace(q.right, old, with, 1)
			if changed == q.right {
				q.t.Errorf("there is no %s in %s", old, q.right)
			}
			q.stream(q.says(changed), q.ends("stop"), done)
		}
	}
	// valued replaces the new value of a state.
	valued := func(value string) func(*question) {
		return func(q *question) {
			q.stream(q.says(state(q.dialect, 3, true, value)), q.ends("stop"), done)
		}
	}
	const right = `"b": "3"`
	return []fault{
		{name: "words", kind: unsaid, server: func(q *question) {
			q.stream(q.says("Sure! The next state is as follows: b is 3."), q.ends("stop"), done)
		}},
		{name: "words that steer a terminal", kind: unsaid, server: func(q *question) { q.stream(q.says(steers), q.ends("stop"), done) }},
		{name: "a value that steers a terminal", server: valued("'" + steers + "'")},
		{name: "a name that steers a terminal", dialects: texts, server: instead(`"b"`, inJSON(steers))},
		{name: "a key in words", kind: unsaid, server: func(q *question) {
			q.stream(q.says("asked with "+q.r.Header.Get("Authorization")+" "+headerSecret), q.ends("stop"), done)
		}},
		{name: "a key in a value", server: valued("'" + faultKey + "'")},
		{name: "a key in pieces", server: func(q *question) {
			text := state(q.dialect, 3, true, "'"+faultKey+headerSecret+"'")
			var pieces []string
			for i := range len(text) {
				pieces = append(pieces, q.says(text[i:i+1]))
			}
			q.stream(append(pieces, q.ends("stop"), done)...)
		}},
		{name: "a key in thoughts", dialects: chats, server: func(q *question) {
			q.stream(strings.Replace(q.says(faultKey), `"content"`, `"reasoning"`, 1), q.says(q.right), q.ends("stop"), done)
		}},
		{name: "thoughts alone", dialects: chats, kind: unsaid, server: func(q *question) {
			q.stream(strings.Replace(q.says("x is "+faultKey+steers), `"content"`, `"reasoning"`, 1), q.ends("length"), done)
		}},
		{name: "a tool call", dialects: chats, kind: unsaid, words: "said nothing", server: func(q *question) {
			q.stream(`data: {"choices":[{"index":0,"delta":{"content":null,"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"step","arguments":"{}"}}]}}]}`+"\n\n", q.ends("tool_calls"), done)
		}},
		{name: "a refusal", dialects: chats, kind: unsaid, words: "no state", server: func(q *question) {
			q.stream(`data: {"choices":[{"index":0,"delta":{"refusal":"I can't help with `+faultKey+`."}}]}`+"\n\n", q.ends("stop"), done)
		}},
		{name: "two states", dialects: chats, kind: unsaid, words: "two JSON objects", server: func(q *question) {
			q.stream(q.says(q.right+"\n"+state(q.dialect, 4, true, "5")), q.ends("stop"), done)
		}},
		{name: "a line that there is not", dialects: nd1, kind: unsaid, words: "no state", server: instead(">3|", ">99|")},
		{name: "a line that there is not, by chat", dialects: chats, kind: unsaid, words: "no line 99", server: instead(`"line":3`, `"line":99`)},
		{name: "a line that there is not, in a trace", dialects: forwards, kind: unsaid, server: instead("c = b * 2", "c = b * 99")},
		{name: "a line that reads otherwise", dialects: nd1, kind: unsaid, words: "line 3 reads", server: instead("c = b * 2", "c = 99")},
		{name: "a local twice", dialects: texts, kind: unsaid, server: instead(right, right+`, "b": "4"`)},
		{name: "a local twice, by chat", dialects: chats, kind: unsaid, server: instead(`"names":["a"`, `"names":["a","b","b"`)},
		{name: "a value of 17 MB", floods: true, dialects: nd1, kind: endpoint, words: "more than 16 MiB", server: valued("'" + strings.Repeat("x", 17<<20) + "'")},
		{name: "a value of 1 MB in pieces", kind: unsaid, words: "did not end", server: func(q *question) {
			text := state(q.dialect, 3, true, "'"+strings.Repeat("x", 1<<20)+"'")
			for ; len(text) > 8<<10; text = text[8<<10:] {
				q.stream(q.says(text[:8<<10]))
			}
			q.stream(q.says(text), q.ends("stop"), done)
		}},
		{name: "a reason that steers a terminal", kind: unsaid, server: func(q *question) {
			q.Header().Set("X-Npdb-Reason", "because of "+faultKey+" \u202e PWNED")
			text := "<|unknown_sep|><|frame_sep|>"
			if q.dialect == openai.Chat {
				text = `{"outcome":"unknown"}`
			}
			q.stream(q.says(text), q.ends("stop"), done)
		}},
	}
}
