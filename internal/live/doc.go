// Package live tests npdb with real servers: llama.cpp's llama-server and Ollama.
// NPDB_TEST_LLAMA_SERVER and NPDB_TEST_OLLAMA are the paths of their programs; without them the
// tests are skipped. .ci/servers builds both servers and runs the tests. They need neither a
// network nor weights from elsewhere: they export the model in npdb's binary, and create a model
// that gives the replies that a test needs.
package live
