package serve

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestCompletionsAnswerTheWalk sends each step of the walk as npdb does, and checks the answers and
// their usage.
func TestCompletionsAnswerTheWalk(t *testing.T) {
	server := served(t, nil)
	asked, replies := prompts(t)
	if len(asked) != 4 {
		t.Fatalf("the walk has %d questions", len(asked))
	}
	before := 0
	for i, prompt := range asked {
		c, _ := complete(t, server, object{
			"model": "oracle", "prompt": prompt, "max_tokens": 1000, "stop": "<|frame_sep|>",
			"include_stop_str_in_output": true, "skip_special_tokens": false,
		})
		if got := c.Choices[0]; got.Text != replies[i] || *got.Finish != "stop" || got.Reason != "<|frame_sep|>" {
			t.Errorf("question %d: %q, %s, %v; want %q", i, got.Text, *got.Finish, got.Reason, replies[i])
		}
		// All earlier prompts and answers are cached, in full blocks.
		if want := before / blockSize * blockSize; c.Usage.Details.Cached != want {
			t.Errorf("question %d: %d tokens are cached, want %d", i, c.Usage.Details.Cached, want)
		}
		if c.Usage.Total != c.Usage.Prompt+c.Usage.Completion {
			t.Errorf("question %d: usage %+v does not add up", i, c.Usage)
		}
		before = c.Usage.Total
	}
}

func TestCompletionsOptions(t *testing.T) {
	server := served(t, nil)
	asked, replies := prompts(t)
	prompt := asked[0] // answered by <|line_sep|>{}<|action_sep|>3|a = f(2)\n<|frame_sep|>
	ids := newTokenizer(dsl.ND1).encode(prompt, false)
	for _, c := range []struct {
		name   string
		q      object
		text   string
		finish string
		reason any
		tokens int
	}{
		{"the end", object{"max_tokens": 100, "skip_special_tokens": false}, replies[0], "stop", nil, 17},
		{"specials are skipped", object{"max_tokens": 100}, "{}3|a = f(2)\n", "stop", nil, 17},
		{"a stop that is skipped matches nothing", object{"max_tokens": 100, "stop": "<|frame_sep|>"}, "{}3|a = f(2)\n", "stop", nil, 17},
		{"sixteen tokens", object{"skip_special_tokens": false}, replies[0], "length", nil, 16},
		{"three tokens", object{"skip_special_tokens": false, "max_tokens": 3}, "<|line_sep|>{}", "length", nil, 3},
		{"a stop", object{"max_tokens": 100, "stop": []string{"zzz", "= f"}}, "{}3|a ", "stop", "= f", 11},
		{"a stop that is kept", object{"max_tokens": 100, "stop": "= f", "include_stop_str_in_output": true}, "{}3|a = f", "stop", "= f", 11},
		{"half a stop at the end", object{"max_tokens": 100, "stop": "\nx"}, "{}3|a = f(2)\n", "stop", nil, 17},
		{"a stop token", object{"max_tokens": 100, "stop_token_ids": []int{128100}, "skip_special_tokens": false}, strings.TrimSuffix(replies[0], "<|frame_sep|>"), "stop", 128100.0, 16},
		{"a stop token that is kept", object{"max_tokens": 100, "stop_token_ids": []int{128100}, "skip_special_tokens": false, "include_stop_str_in_output": true}, replies[0], "stop", 128100.0, 16},
		{"a list of one text", object{"prompt": []string{prompt}, "max_tokens": 3}, "{}", "length", nil, 3},
		{"ids", object{"prompt": ids, "max_tokens": 3}, "{}", "length", nil, 3},
		{"a list of one list of ids", object{"prompt": [][]int{ids}, "max_tokens": 3}, "{}", "length", nil, 3},
		{"no nd/1", object{"prompt": "hello", "max_tokens": 9, "skip_special_tokens": false}, "<|unknown_sep|><|frame_sep|>", "stop", nil, 3},
		{"no question", object{"prompt": walk, "max_tokens": 9, "skip_special_tokens": false}, "<|unknown_sep|><|frame_sep|>", "stop", nil, 3},
		{"half a state", object{"prompt": prompt + `<|line_sep|>{"x": "`, "max_tokens": 9, "skip_special_tokens": false}, "<|unknown_sep|><|frame_sep|>", "stop", nil, 3},
		{"unknown fields", object{"max_tokens": 3, "temperature": 2, "guided_json": object{}}, "{}", "length", nil, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := object{"model": "oracle", "prompt": prompt}
			for k, v := range c.q {
				q[k] = v
			}
			got, _ := complete(t, server, q)
			one := got.Choices[0]
			if one.Text != c.text || *one.Finish != c.finish || one.Reason != c.reason || got.Usage.Completion != c.tokens {
				t.Errorf("%q, %s, %v, %d tokens; want %q, %s, %v, %d", one.Text, *one.Finish, one.Reason, got.Usage.Completion, c.text, c.finish, c.reason, c.tokens)
			}
			// A stream has the same content as the response without one, in chunks.
			q["stream"], q["stream_options"] = true, object{"include_usage": true}
			_, text, _ := post(t, server, "/v1/completions", q)
			pieces := events[completion](t, text)
			last := pieces[len(pieces)-1]
			if last.Usage == nil || last.Usage.Completion != c.tokens || len(last.Choices) != 0 {
				t.Errorf("the stream's last piece is %+v", last)
			}
			said := ""
			for i, p := range pieces[:len(pieces)-1] {
				said += p.Choices[0].Text
				if last := i == c.tokens-1; (p.Choices[0].Finish != nil) != last {
					t.Errorf("piece %d has the reason to finish %v", i, p.Choices[0].Finish)
				}
			}
			if said != c.text || len(pieces)-1 != c.tokens {
				t.Errorf("the stream says %q in %d pieces, want %q", said, len(pieces)-1, c.text)
			}
		})
	}
}

// TestReason checks that the reason of an unknown answer is in a header, which is sent before a
// stream's first event.
func TestReason(t *testing.T) {
	f := newFake(t)
	server := served(t, func(c *Config) { c.Models[0].Predictor = f })
	asked, _ := prompts(t)
	other := strings.TrimSuffix(asked[0], "step_over<|frame_sep|>") + "inv_continue<|frame_sep|>"
	for _, c := range []struct{ name, prompt, why, want string }{
		{"known", asked[0], "it is not", ""},
		{"declined", other, "the text does\nnot tell: é", "the text does not tell:  "},
		{"declined without a word", other, "", "the model declines"},
		{"no nd/1", "x", "", "the prompt is not valid nd/1: "},
		{"no question", strings.TrimSuffix(other, "<|debug_sep|>inv_continue<|frame_sep|>"), "", "the prompt asks nothing"},
	} {
		for _, stream := range []bool{false, true} {
			f.why = c.why
			_, text, h := post(t, server, "/v1/completions", object{"prompt": c.prompt, "skip_special_tokens": false, "max_tokens": 100, "stream": stream})
			got := h.Get(reasonHeader)
			if !strings.HasPrefix(got, strings.TrimSpace(c.want)) || (got == "") != (c.want == "") || (got == "") == strings.Contains(text, "unknown_sep") {
				t.Errorf("%s, streamed %v: because %q, want %q: %s", c.name, stream, got, c.want, text)
			}
		}
	}
}

// events parses a stream. It fails the test unless the stream ends properly.
func events[piece any](t testing.TB, text string) []piece {
	t.Helper()
	var all []piece
	lines := strings.Split(strings.TrimSuffix(text, "\n\n"), "\n\n")
	for _, line := range lines[:len(lines)-1] {
		var c piece
		if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &c); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, c)
	}
	if lines[len(lines)-1] != "data: [DONE]" {
		t.Fatalf("the stream ends with %q", lines[len(lines)-1])
	}
	return all
}

func TestCompletionsSeveralChoices(t *testing.T) {
	server := served(t, nil)
	asked, _ := prompts(t)
	q := object{"prompt": asked[0], "n": 3, "max_tokens": 2, "return_token_ids": true, "logprobs": 1, "skip_special_tokens": false}
	c, _ := complete(t, server, q)
	if len(c.Choices) != 3 || c.Usage.Completion != 6 {
		t.Fatalf("%d choices of %d tokens", len(c.Choices), c.Usage.Completion)
	}
	want := &logprobs{
		Offsets: []int{0, 12}, Logprobs: []float64{0, 0}, Tokens: []string{"<|line_sep|>", "{"},
		Top: []map[string]float64{{"<|line_sep|>": 0}, {"{": 0}},
	}
	for i, one := range c.Choices {
		if one.Index != i || !slices.Equal(one.IDs, []int{128104, '{'}) || len(one.PromptIDs) != c.Usage.Prompt || one.PromptIDs[0] != beginOfText {
			t.Errorf("choice %d: index %d, ids %v, prompt %v", i, one.Index, one.IDs, one.PromptIDs)
		}
		if !reflect.DeepEqual(one.Logprobs, want) {
			t.Errorf("choice %d: logprobs %+v, want %+v", i, one.Logprobs, want)
		}
	}
	q["stream"] = true
	_, text, _ := post(t, server, "/v1/completions", q)
	if pieces := events[completion](t, text); len(pieces) != 6 || pieces[1].Choices[0].Index != 1 || pieces[3].Choices[0].Logprobs.Offsets[0] != 12 {
		t.Errorf("the stream has %d pieces: %s", len(pieces), text)
	}
}

// TestGenerateWholeCharacters checks that a character of several bytes is sent in one piece, and
// that invalid bytes become replacement characters.
func TestGenerateWholeCharacters(t *testing.T) {
	tokens := newTokenizer(dsl.ND1)
	for _, c := range []struct{ text, want string }{
		{"aé€😀z", "aé€😀z"}, {"é", "é"}, {"\xff\xffa", "\ufffda"}, {"\xe2\x82", "\ufffd"},
	} {
		for _, stop := range []string{"", "€x", "zz"} {
			r := &request{}
			if stop != "" {
				r.stops = []string{stop}
			}
			ids := append(tokens.encode(c.text, false), endOfText)
			got := generate(tokens, ids, r, 100)
			if strings.ReplaceAll(got.text(), "\ufffd\ufffd", "\ufffd") != c.want {
				t.Errorf("%q with stop %q: %q", c.text, stop, got.text())
			}
			for _, piece := range got.tokens {
				if piece.text != "" && strings.ToValidUTF8(piece.text, "") != piece.text {
					t.Errorf("%q: the piece %q is half a character", c.text, piece.text)
				}
			}
		}
	}
}
