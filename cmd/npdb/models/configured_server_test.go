package models

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dsl"
)

func TestOpenAIConfig(t *testing.T) {
	topP, seed, add := 0.25, int64(0), false
	got, err := ServerConfig(config.Model{
		BaseURL: "http://a/v1", Name: "nd", Key: "k", Window: 8, MaxTokens: 9, Temperature: 0.5, TopP: &topP, Seed: &seed,
		Timeout: 3 * time.Second, IdleTimeout: 2 * time.Second, Retries: 0, Logprobs: false, Prompt: "ids", Dialect: "chat", Stops: 8,
		StopTokenIDs: []int{7}, AddSpecialTokens: &add,
		Extra:   `{"Priority": 1, "gone": null}`,
		Headers: []string{"X-Team: red", "x-team: blue", "X-Empty:"},
		Tokens:  map[string]string{"frame_sep": "<|mine|>"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if name := got.Format.Name(dsl.FrameSep); name != "<|mine|>" {
		t.Errorf("frame_sep is spelled %q", name)
	}
	got.Format = nil
	want := openai.Config{
		BaseURL: "http://a/v1", Model: "nd", Key: "k", Window: 8, MaxTokens: 9, Temperature: 0.5, TopP: 0.25, Seed: &seed,
		Timeout: 3 * time.Second, IdleTimeout: 2 * time.Second, Retries: -1, Prompt: openai.IDs, Dialect: openai.Chat, Stops: 8,
		StopIDs: []int{7}, AddSpecialTokens: &add,
		Extra:   map[string]any{"Priority": json.Number("1"), "gone": nil},
		Headers: map[string]string{"X-Team": "red, blue", "X-Empty": ""},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if one, err := ServerConfig(config.Model{Stops: 8, Samples: 5, OwnWord: true}); err != nil || one.Stops != 1 || one.OwnWord {
		t.Errorf("with samples it is asked for %d states, %v", one.Stops, err)
	}
	if p, err := openai.New(got); err != nil {
		t.Error(err)
	} else if err := p.Close(); err != nil {
		t.Error(err)
	}
}
