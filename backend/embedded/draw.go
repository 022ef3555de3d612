package embedded

import (
	"math"
	"math/rand/v2"
	"sort"
)

// drawing holds the settings for sampling tokens.
type drawing struct {
	temperature float64 // 0: always the likeliest token
	top         float64 // top-p: sample from the likeliest tokens with this total probability
	rng         *rand.Rand
	calibration float64 // divides the logits, so that the probabilities are calibrated
}

// choose picks one of the allowed tokens and returns its probability among all tokens, allowed or
// not. id is -1 if no token is allowed.
func (d *drawing) choose(logits []float32, allowed func(id int) bool) (id int, probability float64) {
	most := math.Inf(-1)
	for _, x := range logits {
		most = max(most, float64(x))
	}
	var sum float64
	for _, x := range logits {
		sum += math.Exp((float64(x) - most) / d.calibration)
	}
	of := func(x float32) float64 { return math.Exp((float64(x)-most)/d.calibration) / sum }
	if d.temperature > 0 {
		id = d.draw(logits, most, allowed)
		if id < 0 {
			return id, 0
		}
		return id, of(logits[id])
	}
	tried := make([]bool, len(logits))
	for range logits {
		id = -1
		for i, x := range logits {
			if !tried[i] && (id < 0 || x > logits[id]) {
				id = i
			}
		}
		if allowed(id) {
			return id, of(logits[id])
		}
		tried[id] = true
	}
	return -1, 0
}

// draw picks one of the allowed tokens at random, or returns -1 if there is none.
func (d *drawing) draw(logits []float32, most float64, allowed func(id int) bool) int {
	type token struct {
		id    int
		share float64
	}
	var tokens []token
	var sum float64
	for id, x := range logits {
		if allowed(id) {
			share := math.Exp((float64(x) - most) / d.temperature)
			tokens = append(tokens, token{id, share})
			sum += share
		}
	}
	if len(tokens) == 0 {
		return -1
	}
	sort.SliceStable(tokens, func(a, b int) bool { return tokens[a].share > tokens[b].share })
	if d.top > 0 && d.top < 1 {
		var kept float64
		for i, t := range tokens {
			if kept += t.share; kept >= d.top*sum {
				tokens, sum = tokens[:i+1], kept
				break
			}
		}
	}
	at := d.rng.Float64() * sum
	for _, t := range tokens {
		if at -= t.share; at < 0 {
			return t.id
		}
	}
	return tokens[0].id
}
