// Package live tests npdb with real servers: llama.cpp's llama-server, if
// NPDB_TEST_LLAMA_SERVER names its program, and Ollama, if NPDB_TEST_OLLAMA does.
// .ci/servers builds both and runs the tests. They need no network and no weights except
// npdb's own: they export the model in the binary, and create a model that replies as a
// test requires.
package live
