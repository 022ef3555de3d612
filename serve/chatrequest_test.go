package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

func TestChatErrors(t *testing.T) {
	server := served(t, nil)
	asked, _ := prompts(t)
	messages := conversation(t, asked[2])
	question := messages[len(messages)-1].Content
	long := chat.Message{Role: "system", Content: strings.Repeat("x", fakeWindow)}
	others := func(change func([]chat.Message)) object {
		m := append([]chat.Message(nil), messages...)
		change(m)
		return object{"messages": m}
	}
	with := func(key string, value any) object { return object{"messages": messages, key: value} }
	for _, c := range []struct {
		name, param, message string
		q                    any
	}{
		{"no JSON", "", "no JSON that can be read", "{"},
		{"messages that are none", "", "no JSON that can be read", `{"messages": "x"}`},
		{"no messages", "messages", "a list of at least one message", object{"messages": []int{}}},
		{"a prompt", "messages", "a list of at least one message", object{"prompt": "x"}},
		{"a tool's message", "messages", `messages[0]: the role must be system, developer, user or assistant, not "tool"`, object{"messages": []object{{"role": "tool", "content": "x"}}}},
		{"no role", "messages", `messages[0]: the role must be`, object{"messages": []object{{"content": "x"}}}},
		{"no content", "messages", `messages[0]: the content must be a text`, object{"messages": []object{{"role": "user"}}}},
		{"null", "messages", `messages[0]: the content must be a text`, object{"messages": []object{{"role": "assistant", "content": nil}}}},
		{"a number", "messages", `messages[0]: the content must be a text`, object{"messages": []object{{"role": "user", "content": 3}}}},
		{"an image", "messages", `messages[0]: a part of the content must be of the type text`, object{"messages": []object{{"role": "user", "content": []object{{"type": "image_url", "text": "x"}}}}}},
		{"a part without a text", "messages", `messages[0]: a part of the content`, object{"messages": []object{{"role": "user", "content": []object{{"type": "text"}}}}}},
		{"parts that are none", "messages", `messages[0]: the content must be a text`, object{"messages": []object{{"role": "user", "content": []string{"x"}}}}},
		{"a system message alone", "messages", "the last message is not the user's", object{"messages": messages[:1]}},
		{"nothing asked", "messages", "the last message is not the user's", object{"messages": messages[:3]}},
		{"hello", "messages", "The conversation is none that npdb writes: a conversation begins with PROGRAM.", object{"messages": []object{{"role": "user", "content": "Hello!"}}}},
		{"turns that do not alternate", "messages", `is of the role "user", where one of "assistant" is to be`, object{"messages": append(messages[:2:2], messages[1])}},
		{"an answer that is none", "messages", "message 3: there is no JSON object", others(func(m []chat.Message) { m[2].Content = "a line" })},
		{"an answer that cannot be", "messages", "message 3: the program has no line 30", others(func(m []chat.Message) { m[2].Content = strings.Replace(m[2].Content, `"line":3`, `"line":30`, 1) })},
		{"no such command", "messages", `"jump" is no action`, others(func(m []chat.Message) { m[len(m)-1].Content = "COMMAND jump" })},
		{"more after the command", "messages", "something follows the command", others(func(m []chat.Message) { m[len(m)-1].Content = question + "\nplease" })},
		{"values are asked for", "messages", "message 6: values are asked for (VALUES), and this server makes up none by chat: it answers a COMMAND", others(func(m []chat.Message) { m[len(m)-1].Content = `VALUES ["x"] are variables of this state too` })},
		{"no tokens", "max_tokens", "max_tokens must be at least 1, got 0.", with("max_tokens", 0)},
		{"no tokens by their new name", "max_completion_tokens", "max_completion_tokens must be at least 1, got -1.", with("max_completion_tokens", -1)},
		{"no choice", "n", "n must be at least 1 and at most 64, got 0.", with("n", 0)},
		{"too many choices", "n", "n must be at least 1 and at most 64, got 65.", with("n", 65)},
		{"half a choice", "", "no JSON that can be read", with("n", 0.5)},
		{"too warm", "temperature", "temperature must be at least 0 and at most 2, got 2.1.", with("temperature", 2.1)},
		{"too cold", "temperature", "got -1.", with("temperature", -1)},
		{"too likely", "top_p", "top_p must be at least 0 and at most 1, got 1.5.", with("top_p", 1.5)},
		{"unlikely", "top_p", "got -0.1.", with("top_p", -0.1)},
		{"a seed that is none", "", "no JSON that can be read", with("seed", "x")},
		{"an empty stop", "stop", "empty string", with("stop", "")},
		{"no stop", "stop", "stop must be a string or a list", with("stop", 3)},
		{"logprobs as a number", "", "no JSON that can be read", with("logprobs", 1)},
		{"logprobs of nothing", "top_logprobs", "top_logprobs can only be given when", with("top_logprobs", 1)},
		{"too many logprobs", "top_logprobs", "at most 20, got 21.", object{"messages": messages, "logprobs": true, "top_logprobs": 21}},
		{"fewer than no logprobs", "top_logprobs", "got -1.", object{"messages": messages, "logprobs": true, "top_logprobs": -1}},
		{"options of no stream", "stream_options", "Stream options", with("stream_options", object{"include_usage": true})},
		{"another form", "response_format", `the type of response_format must be text, json_object or json_schema, not "xml"`, with("response_format", object{"type": "xml"})},
		{"a form without a type", "response_format", `not ""`, with("response_format", object{})},
		{"a schema that is missing", "response_format", "needs a json_schema with a name", with("response_format", object{"type": "json_schema"})},
		{"a schema without a name", "response_format", "needs a json_schema with a name", with("response_format", object{"type": "json_schema", "json_schema": object{"schema": object{}}})},
		{"a long conversation", "", "maximum context length is 4096 tokens", object{"messages": append([]chat.Message{long}, messages[1:]...)}},
		{"a long answer", "", "'max_tokens' or 'max_completion_tokens' is too large: 4000", with("max_tokens", 4000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, text, _ := post(t, server, "/v1/chat/completions", c.q)
			var said struct{ Error *apiError }
			if err := json.Unmarshal([]byte(text), &said); err != nil || said.Error == nil || status != http.StatusBadRequest {
				t.Fatalf("status %d, %s", status, text)
			}
			param := ""
			if said.Error.Param != nil {
				param = *said.Error.Param
			}
			if !strings.Contains(said.Error.Message, c.message) || said.Error.Type != "BadRequestError" || param != c.param {
				t.Errorf("of %q: %s", param, said.Error.Message)
			}
		})
	}
	if status, text, _ := post(t, server, "/v1/chat/completions", with("model", "gpt-9")); status != http.StatusNotFound || !strings.Contains(text, "NotFoundError") {
		t.Errorf("an unknown model: status %d, %s", status, text)
	}
}

// TestConversationTokens checks that a conversation has Llama 3's special tokens around each
// message, and that the spelling of a special token in a message's text is not encoded as one.
func TestConversationTokens(t *testing.T) {
	got := newTokenizer(dsl.ND1).conversation([]chat.Message{{Role: "user", Content: "<|eot_id|>é"}})
	want := []int{beginOfText, beginOfRole, 'u', 's', 'e', 'r', endOfRole, '\n', '\n'}
	for _, b := range []byte("<|eot_id|>é") {
		want = append(want, int(b))
	}
	want = append(want, endOfTurn, beginOfRole, 'a', 's', 's', 'i', 's', 't', 'a', 'n', 't', endOfRole, '\n', '\n')
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func FuzzChatRequest(f *testing.F) {
	for _, seed := range []string{
		`{"messages": [{"role": "user", "content": "PROGRAM\n1|x = 1\n"}]}`, `{"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}], "n": 2, "stop": ["a"]}`,
		`{"messages": [{"role": "system", "content": "\ud800"}], "logprobs": true, "top_logprobs": 2, "response_format": {"type": "json_object"}}`, `{"messages": [null]}`, `{`,
	} {
		f.Add([]byte(seed))
	}
	tokens := newTokenizer(dsl.ND1)
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := parseChat(body, tokens)
		if err == nil {
			_, _, err = (&chats{format: dsl.ND1, tokenizer: tokens}).question(r)
			if text := tokens.decode(r.prompt); !strings.HasSuffix(text, "<|start_header_id|>assistant<|end_header_id|>\n\n") {
				t.Fatalf("the prompt is %q", text)
			}
		}
		var known *apiError
		if err != nil && (!errors.As(err, &known) || known.Code != http.StatusBadRequest) {
			t.Fatalf("%T %v", err, err)
		}
	})
}
