// Package embedded predicts with the small model that npdb contains: a decoder with Qwen3's
// architecture that runs in this process, on the CPU, in int8.
//
// Replies are constrained. A state machine (grammar.go) follows the grammar of package dsl and
// allows only the tokens after which a reply can still become a state of this program. The
// machine's position in a reply is a spot; a scene holds what the replies to one question may
// contain. Text that is determined by what precedes it, such as the source of a line with a known
// number, is appended without computing it.
package embedded
