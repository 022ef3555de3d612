// Package serve implements an HTTP server that behaves like a model server, with a predictor in
// place of the model. It supports OpenAI's completions, as in vLLM, and chat completions.
//
// A prompt describes a program and what happened in it so far, in one of the dialects: nd/1,
// the Code World Model's traces, or a chat. The predictor's reply is an outcome, for example
// the next state. The answer is the reply as text of the dialect; if the reply cannot be
// determined, the answer is "unknown". A request may ask for several choices: copies of the
// answer, each cut as the request says and, for tests, each with its own faults (Misbehavior).
//
// The predictor runs the programs that it receives. Package trace/contain limits what such
// a program can access and consume.
package serve
