// Package chat writes a trajectory as a conversation, for chat models that were never trained on
// nd/1, and parses their answers.
//
// A conversation has one system message, which explains the task and never changes; then the user
// gives the program, the state and a command, the assistant answers with the next state, the user
// gives the next command, and so on. So the model sees the earlier states as its own answers. Each
// request begins with all messages of the one before, so that a server's prefix cache works.
//
// A state is a JSON object described by Schema, within what OpenAI's strict schemas allow, which
// other servers accept too. It has only the new and changed locals. docs/chat.md describes it.
package chat
