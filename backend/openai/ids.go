package openai

import (
	"container/list"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// maxCachedIDs is the maximum number of cached token numbers: they take 16 MB.
const maxCachedIDs = 2 << 20

// idCache caches the token numbers of pieces of text. Texts are split at special tokens. No tokenizer
// merges characters across these, so the numbers of a text are those of its pieces, one after the other.
// When the cache is full, it drops the least recently used piece.
type idCache struct {
	mu    sync.Mutex
	limit int
	size  int
	byKey map[string]*list.Element
	used  *list.List // of idEntry, the latest used first
}

type idEntry struct {
	text string
	ids  []int
}

func newIDCache(limit int) *idCache {
	return &idCache{limit: limit, byKey: map[string]*list.Element{}, used: list.New()}
}

func (c *idCache) get(text string) ([]int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[text]
	if !ok {
		return nil, false
	}
	c.used.MoveToFront(e)
	return e.Value.(idEntry).ids, true
}

// put caches the token numbers of a text, unless there are some already. Other numbers may be valid too,
// but the server's prefix cache contains the first ones.
func (c *idCache) put(text string, ids []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[text]; ok {
		return
	}
	c.byKey[text] = c.used.PushFront(idEntry{text, ids})
	c.size += len(ids)
	for c.size > c.limit && c.used.Len() > 1 {
		oldest := c.used.Remove(c.used.Back()).(idEntry)
		delete(c.byKey, oldest.text)
		c.size -= len(oldest.ids)
	}
}

// prompt returns the prompt of a question: its text and 0, or its token numbers and their count.
func (p *Predictor) prompt(ctx context.Context, q question) (any, int, *backend.Error) {
	if p.cfg.Prompt != IDs {
		return q.prompt, 0, nil
	}
	pieces := []string{q.prompt[q.at.Len():]}
	for n := q.at; n != nil; n = n.Parent() {
		pieces = append(pieces, n.Added())
	}
	slices.Reverse(pieces)
	all, failure := p.idsOf(ctx, pieces, p.cfg.AddSpecialTokens == nil || *p.cfg.AddSpecialTokens)
	return all, len(all), failure
}

// idsOf returns the token numbers of the pieces of a text. If begin is set, they begin with the
// model's BOS token, if it has one.
func (p *Predictor) idsOf(ctx context.Context, pieces []string, begin bool) ([]int, *backend.Error) {
	var all []int
	for i, piece := range pieces {
		ids, ok := p.ids.get(piece)
		if !ok {
			var failure *backend.Error
			if ids, failure = p.tokenize(ctx, piece, begin && i == 0); failure != nil {
				return nil, failure
			}
			p.ids.put(piece, ids)
		}
		all = append(all, ids...)
	}
	return all, nil
}

// keepIDs caches the token numbers of the model's own reply, if the reply is exactly the text that
// the step adds.
func (p *Predictor) keepIDs(at *dsl.Node, step dsl.Step, r *reply) {
	if p.cfg.Prompt != IDs || !r.idsWhole || len(r.ids) == 0 {
		return
	}
	next, err := at.Append(step)
	if err != nil {
		return
	}
	asked, err := at.Prompt(step.Action)
	if err != nil {
		return
	}
	action := asked[at.Len():]
	ids, ok := p.ids.get(action)
	if ok && next.Added() == action+r.raw.String() {
		p.ids.put(next.Added(), append(ids[:len(ids):len(ids)], r.ids...))
	}
}

// tokenize requests the token numbers of a text from the server. The request has the fields of
// vLLM, of SGLang and of llama-server.
func (p *Predictor) tokenize(ctx context.Context, text string, addSpecial bool) ([]int, *backend.Error) {
	body, failure := p.call(ctx, http.MethodPost, p.at.root+"/tokenize", map[string]any{
		"model": p.name(), "prompt": text, "add_special_tokens": addSpecial,
		"content": text, "add_special": addSpecial, "parse_special": true,
	})
	if failure != nil {
		if failure.Kind == backend.NoEndpoint {
			failure.Message = p.at.root + "/tokenize does not exist: this server takes prompts as text alone. Set prompt to \"text\""
		}
		return nil, failure
	}
	var answer struct {
		Tokens []int `json:"tokens"`
	}
	if !json.Valid(body) && damaged(nil, body) != foreignText {
		return nil, p.refused(&refusal{status: http.StatusOK, body: body})
	}
	if json.Unmarshal(body, &answer) != nil || answer.Tokens == nil {
		return nil, p.failed(backend.NoEndpoint, "answers /tokenize without token numbers: set prompt to \"text\"")
	}
	return answer.Tokens, nil
}
