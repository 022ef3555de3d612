// Package serve implements an HTTP server that behaves like a model server, with a
// predictor in place of the model. It supports OpenAI's completions, as in vLLM, and chat
// completions.
//
// The predictor runs the programs that it receives. Contain limits what such a program can
// access and consume.
package serve
