// Package chat writes a trajectory as a conversation, for chat models that were never trained on
// nd/1, and parses their answers.
//
// A conversation has one system message, which explains the task and never changes. Then the user
// gives the program, the state and a command, the assistant answers with the next state, the user
// gives the next command, and so on. So the model sees the earlier states as its own answers. Each
// request begins with all messages of the one before, so that a server's prefix cache works.
//
// An answer is a JSON object. Schema describes it within the limits of OpenAI's strict schemas,
// which other servers accept too. Of the locals, an answer has only the new and changed ones.
// docs/chat.md describes the format.
package chat
