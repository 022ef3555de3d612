// Package serve is an HTTP server that answers as a model server does, with a
// predictor in the model's place: OpenAI's completions as vLLM speaks them, and its chats.
//
// What it answers with executes the programs it is sent. Contain bounds what
// such a program reaches and takes.
package serve
