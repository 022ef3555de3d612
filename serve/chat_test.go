package serve

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// conversation converts a prompt in nd/1 to the messages of the same request.
func conversation(t testing.TB, prompt string) []chat.Message {
	t.Helper()
	at, asked, err := dsl.ND1.Read(prompt)
	if err != nil {
		t.Fatal(err)
	}
	messages, err := chat.Messages("You are a debugger.", at, *asked)
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// chatted sends a request to /v1/chat/completions and fails the test unless it succeeds.
func chatted(t testing.TB, server *httptest.Server, q object) (chatCompletion, http.Header) {
	t.Helper()
	status, text, h := post(t, server, "/v1/chat/completions", q)
	var c chatCompletion
	if err := json.Unmarshal([]byte(text), &c); err != nil || status != http.StatusOK || len(c.Choices) == 0 {
		t.Fatalf("%v: status %d, %s", q, status, text)
	}
	return c, h
}

// streamed requests a stream and joins its chunks. It fails the test unless only the first chunk
// contains the role, and only the last one the finish reason.
func streamed(t testing.TB, server *httptest.Server, q object) (said, finish string, pieces []chatCompletion) {
	t.Helper()
	asked := object{"stream": true}
	for k, v := range q {
		asked[k] = v
	}
	_, text, _ := post(t, server, "/v1/chat/completions", asked)
	pieces = events[chatCompletion](t, text)
	for i, p := range pieces {
		if p.Object != "chat.completion.chunk" || p.ID != pieces[0].ID {
			t.Errorf("piece %d is a %q of %q", i, p.Object, p.ID)
		}
		if len(p.Choices) == 0 {
			continue
		}
		one := p.Choices[0]
		if finish != "" || (one.Delta.Role == "assistant") != (i == 0) {
			t.Fatalf("piece %d of the stream comes after the end, or does not name the role: %s", i, text)
		}
		if one.Delta.Content != nil {
			said += *one.Delta.Content
		}
		if one.Finish != nil {
			finish = *one.Finish
		}
	}
	return said, finish, pieces
}

// TestChatsAnswerTheWalk sends each step of the walk as a conversation, with and without a stream.
// It checks that each answer is the next step of walk, and that all earlier prompts and answers are
// cached.
func TestChatsAnswerTheWalk(t *testing.T) {
	server := served(t, nil)
	asked, replies := prompts(t)
	before := 0
	for i, prompt := range asked {
		at, action, err := dsl.ND1.Read(prompt)
		if err != nil {
			t.Fatal(err)
		}
		q := object{"model": "oracle", "messages": conversation(t, prompt)}
		c, _ := chatted(t, server, q)
		one := c.Choices[0]
		if c.Object != "chat.completion" || one.Message.Role != "assistant" || *one.Finish != "stop" || one.Reason != nil || one.Delta != nil {
			t.Errorf("question %d: %+v", i, c)
		}
		got, err := chat.Decode(at, *action, *one.Message.Content)
		if want := (dsl.Step{Action: *action, Reply: decoded(t, prompt, replies[i])}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("question %d: %s is %+v, %v; want %+v", i, *one.Message.Content, got, err, want)
		}
		if want := before / blockSize * blockSize; c.Usage.Details.Cached != want {
			t.Errorf("question %d: %d tokens are cached, want %d", i, c.Usage.Details.Cached, want)
		}
		if c.Usage.Total != c.Usage.Prompt+c.Usage.Completion || c.Usage.Completion != len(*one.Message.Content)+1 {
			t.Errorf("question %d: usage %+v does not add up", i, c.Usage)
		}
		before = c.Usage.Total
		q["stream_options"] = object{"include_usage": true}
		said, finish, pieces := streamed(t, server, q)
		last := pieces[len(pieces)-1]
		if said != *one.Message.Content || finish != "stop" || last.Usage.Completion != c.Usage.Completion || len(last.Choices) != 0 {
			t.Errorf("question %d: streamed %q, %s, usage %+v", i, said, finish, last.Usage)
		}
	}
}

func TestChatOptions(t *testing.T) {
	server := served(t, nil)
	asked, _ := prompts(t)
	messages := conversation(t, asked[0])
	parts := []object{}
	for _, m := range messages {
		var texts []object
		for line := range strings.SplitSeq(m.Content, "\n") {
			texts = append(texts, object{"type": "text", "text": line})
		}
		parts = append(parts, object{"role": strings.Replace(m.Role, "system", "developer", 1), "content": texts, "name": "x"})
	}
	const whole = `{"outcome":"state","event":"line","line":3,"function":null,"stack":null,"locals":[],"names":null,"kind":null,"value":null,"exit_code":null}`
	for _, c := range []struct {
		name   string
		q      object
		text   string
		finish string
		reason any
	}{
		{"nothing else", object{}, whole, "stop", nil},
		{"what does not matter", object{"temperature": 2, "top_p": 0.1, "seed": -1, "user": "x", "tools": []int{}, "logprobs": false}, whole, "stop", nil},
		{"no system message", object{"messages": messages[1:]}, whole, "stop", nil},
		{"parts, and a developer", object{"messages": parts}, whole, "stop", nil},
		{"text", object{"response_format": object{"type": "text"}}, whole, "stop", nil},
		{"JSON", object{"response_format": object{"type": "json_object"}}, whole, "stop", nil},
		{"a schema", object{"response_format": object{"type": "json_schema", "json_schema": object{"name": "state", "strict": true, "schema": object{}}}}, whole, "stop", nil},
		{"tokens", object{"max_tokens": 3}, `{"o`, "length", nil},
		{"tokens by their new name", object{"max_completion_tokens": 4, "max_tokens": 3}, `{"ou`, "length", nil},
		{"a stop", object{"stop": []string{"zzz", `"line"`}}, `{"outcome":"state","event":`, "stop", `"line"`},
		{"one stop", object{"stop": "state"}, `{"outcome":"`, "stop", "state"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := object{"messages": messages}
			for k, v := range c.q {
				q[k] = v
			}
			got, _ := chatted(t, server, q)
			if one := got.Choices[0]; *one.Message.Content != c.text || *one.Finish != c.finish || one.Reason != c.reason {
				t.Errorf("%q, %s, %v; want %q, %s, %v", *one.Message.Content, *one.Finish, one.Reason, c.text, c.finish, c.reason)
			}
			if said, finish, _ := streamed(t, server, q); said != c.text || finish != c.finish {
				t.Errorf("the stream says %q, %s", said, finish)
			}
		})
	}
}

func TestChatSeveralChoices(t *testing.T) {
	server := served(t, nil)
	asked, _ := prompts(t)
	for most, want := range map[int]string{
		0: `{"content":[{"token":"{","logprob":0,"bytes":[123],"top_logprobs":[]},{"token":"\"","logprob":0,"bytes":[34],"top_logprobs":[]}]}`,
		5: `{"content":[{"token":"{","logprob":0,"bytes":[123],"top_logprobs":[{"token":"{","logprob":0,"bytes":[123]}]},` +
			`{"token":"\"","logprob":0,"bytes":[34],"top_logprobs":[{"token":"\"","logprob":0,"bytes":[34]}]}]}`,
	} {
		q := object{"messages": conversation(t, asked[0]), "n": 2, "max_tokens": 2, "logprobs": true, "top_logprobs": most}
		c, _ := chatted(t, server, q)
		if len(c.Choices) != 2 || c.Choices[1].Index != 1 || c.Usage.Completion != 4 {
			t.Fatalf("%+v", c)
		}
		for i, one := range c.Choices {
			if got := string(marshal(one.Logprobs)); got != want {
				t.Errorf("choice %d: logprobs %s, want %s", i, got, want)
			}
		}
		q["stream"] = true
		_, text, _ := post(t, server, "/v1/chat/completions", q)
		// Two chunks with the role, then two tokens of each choice.
		pieces := events[chatCompletion](t, text)
		if len(pieces) != 6 || pieces[1].Choices[0].Delta.Role != "assistant" || pieces[5].Choices[0].Index != 1 || pieces[2].Choices[0].Logprobs.Content[0].Token != "{" {
			t.Errorf("the stream is %s", text)
		}
	}
}

// TestChatKeepsMarksInValues checks that the spelling of a special token inside a value stays part
// of the value. An answer omits only real special tokens.
func TestChatKeepsMarksInValues(t *testing.T) {
	marked := strings.ReplaceAll(walk, `"x": "2"`, `"x": "'\u003c|frame_sep|>\u003c|eot_id|>'"`)
	last, _, err := dsl.ND1.Read(marked)
	if err != nil {
		t.Fatal(err)
	}
	f := newFake(t)
	f.steps = last.Trajectory().Steps
	server := served(t, func(c *Config) { c.Models[0].Predictor = f })
	asked, _ := prompts(t)
	c, _ := chatted(t, server, object{"messages": conversation(t, asked[1])})
	if got := *c.Choices[0].Message.Content; !strings.Contains(got, `"'<|frame_sep|><|eot_id|>'"`) {
		t.Error(got)
	}
}

// TestChatReason checks that the reason of an unknown answer is in a header, which is sent before a
// stream's first event.
func TestChatReason(t *testing.T) {
	f := newFake(t)
	f.why = "the text does not tell"
	server := served(t, func(c *Config) { c.Models[0].Predictor = f })
	asked, _ := prompts(t)
	other := strings.TrimSuffix(asked[0], "step_over<|frame_sep|>") + "inv_continue<|frame_sep|>"
	for _, stream := range []bool{false, true} {
		_, text, h := post(t, server, "/v1/chat/completions", object{"messages": conversation(t, other), "stream": stream})
		if h.Get(reasonHeader) != f.why {
			t.Errorf("streamed %v: because %q: %s", stream, h.Get(reasonHeader), text)
		}
	}
	if c, _ := chatted(t, server, object{"messages": conversation(t, other)}); *c.Choices[0].Message.Content != chat.Unknown() {
		t.Errorf("it is declined by %s", *c.Choices[0].Message.Content)
	}
	// The same holds for an answer that cannot be encoded.
	f.why = ""
	f.steps[1].Reply.Stop.Line = 99
	c, h := chatted(t, server, object{"messages": conversation(t, asked[0])})
	if *c.Choices[0].Message.Content != chat.Unknown() || !strings.HasPrefix(h.Get(reasonHeader), "the answer cannot be written: ") {
		t.Errorf("%s because %q", *c.Choices[0].Message.Content, h.Get(reasonHeader))
	}
}

// TestOpenAIClientChats checks that the go-openai client works with /v1/chat/completions, with and
// without a stream.
func TestOpenAIClientChats(t *testing.T) {
	server := served(t, nil)
	asked, _ := prompts(t)
	config := openai.DefaultConfig("")
	config.BaseURL, config.HTTPClient = server.URL+"/v1", server.Client()
	client := openai.NewClientWithConfig(config)
	q := openai.ChatCompletionRequest{Model: "oracle"}
	for _, m := range conversation(t, asked[0]) {
		q.Messages = append(q.Messages, openai.ChatCompletionMessage{Role: m.Role, Content: m.Content})
	}
	answer, err := client.CreateChatCompletion(t.Context(), q)
	if err != nil || !strings.HasPrefix(answer.Choices[0].Message.Content, `{"outcome":"state"`) || answer.Choices[0].FinishReason != "stop" {
		t.Fatalf("%+v, %v", answer, err)
	}
	stream, err := client.CreateChatCompletionStream(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	said := heard(t, stream.Recv, func(piece openai.ChatCompletionStreamResponse) string { return piece.Choices[0].Delta.Content })
	if said != answer.Choices[0].Message.Content {
		t.Errorf("the stream says %q", said)
	}
}

// TestChatsAtOnce sends many requests concurrently, with and without a stream. It checks that each
// gets its own answer.
func TestChatsAtOnce(t *testing.T) {
	server := served(t, nil)
	asked, replies := prompts(t)
	var all sync.WaitGroup
	for i := range 40 {
		prompt, reply := asked[i%len(asked)], replies[i%len(asked)]
		all.Go(func() {
			if i%3 == 0 {
				got, _ := complete(t, server, object{"prompt": prompt, "max_tokens": 1000, "skip_special_tokens": false})
				if got.Choices[0].Text != reply {
					t.Errorf("question %d: %q", i, got.Choices[0].Text)
				}
				return
			}
			q := object{"messages": conversation(t, prompt)}
			var text string
			if i%3 == 1 {
				c, _ := chatted(t, server, q)
				text = *c.Choices[0].Message.Content
			} else {
				text, _, _ = streamed(t, server, q)
			}
			if got, want := decodedChat(t, prompt, text), decoded(t, prompt, reply); !reflect.DeepEqual(got, want) {
				t.Errorf("question %d: %s is %+v", i, text, got)
			}
		})
	}
	all.Wait()
}

// decodedChat decodes an answer. It fails the test if the answer is malformed.
func decodedChat(t testing.TB, prompt, text string) dsl.Reply {
	t.Helper()
	at, asked, err := dsl.ND1.Read(prompt)
	if err != nil {
		t.Fatal(err)
	}
	step, err := chat.Decode(at, *asked, text)
	if err != nil {
		t.Fatalf("%q cannot be read: %v", text, err)
	}
	return step.Reply
}
