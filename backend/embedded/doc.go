// Package embedded predicts with the small model that npdb carries: a decoder of Qwen3's
// architecture that runs in this process, on the CPU, in int8.
//
// What it writes is held to what can be: a state machine over nd/1 (grammar.go) allows
// the tokens after which a reply can still become a state of this program. What follows
// from the text so far, such as the source of a line whose number is known, is appended
// and not computed.
package embedded
