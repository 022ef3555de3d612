// Package live has the tests that ask real servers: llama.cpp's llama-server, where
// NPDB_TEST_LLAMA_SERVER names its program, and Ollama, where NPDB_TEST_OLLAMA does. .ci/servers
// builds both and runs them. They need no network and no weights but npdb's own: the model that
// npdb carries is exported for them, and a model that says what a test wants is made here.
package live
