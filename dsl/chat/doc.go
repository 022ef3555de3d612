// Package chat writes a trajectory as a conversation, for models that answer chats and
// were never trained on nd/1, and reads what they answer.
//
// A conversation has one system message, which explains and never changes; then the user
// tells the program, the state it is in and a command, the assistant answers with the state
// that the command leads to, the user gives the next command, and so on. The model so sees
// the states before as if it had answered them itself. Each question has the one before it
// as a beginning, message for message, so that a server's prefix cache serves it.
//
// A state is a JSON object, of the form that Schema describes: one that the strict schemas
// of OpenAI allow, for other servers take it too. Of locals it has what is new or changed.
// docs/chat.md is its description for people.
package chat
