// Package chat writes a trajectory as a conversation, for chat models that were never trained on
// nd/1, and parses their answers.
//
// A conversation has one system message, which explains the task and never changes. The user's
// first message contains the program, the state and a command; the assistant answers with the next
// state; the user's next message contains the next command, and so on. So the model sees the
// earlier states as its own answers. Each request begins with all messages of the previous request,
// so a server's prefix cache stays valid.
//
// An answer is a JSON object. Schema describes it within the limits of OpenAI's strict schemas,
// which other servers accept too. An answer contains only the locals that are new or changed.
// docs/chat.md describes the format.
package chat
