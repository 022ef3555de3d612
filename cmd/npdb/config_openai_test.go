package main

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/dsl"
)

func TestOpenAIConfig(t *testing.T) {
	c, err := load(t, `
[model]
base_url = "http://a/v1"
name = "nd"
key = "k"
window = 8
max_tokens = 9
temperature = 0.5
top_p = 0.25
seed = 0
timeout = "3s"
idle_timeout = "2s"
retries = 0
logprobs = false
prompt = "ids"
stop_token_ids = [7]
add_special_tokens = false
extra = '{"Priority": 1, "gone": null}'
headers = ["X-Team: red", "x-team: blue", "X-Empty:"]
[model.tokens]
frame_sep = "<|mine|>"
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := openaiConfig(c.config)
	if err != nil {
		t.Fatal(err)
	}
	if name := got.Format.Name(dsl.FrameSep); name != "<|mine|>" {
		t.Errorf("frame_sep is spelled %q", name)
	}
	got.Format = nil
	seed, add := int64(0), false
	want := openai.Config{
		BaseURL: "http://a/v1", Model: "nd", Key: "k", Window: 8, MaxTokens: 9, Temperature: 0.5, TopP: 0.25, Seed: &seed,
		Timeout: 3 * time.Second, IdleTimeout: 2 * time.Second, Retries: -1, Prompt: openai.IDs,
		StopIDs: []int{7}, AddSpecialTokens: &add,
		Extra:   map[string]any{"Priority": json.Number("1"), "gone": nil},
		Headers: map[string]string{"X-Team": "red, blue", "X-Empty": ""},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if p, err := openai.New(got); err != nil {
		t.Error(err)
	} else if err := p.Close(); err != nil {
		t.Error(err)
	}
}
