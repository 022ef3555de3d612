package backend

import "context"

// Talker sends conversations to a model that answers in free text, not with states. Several goroutines may
// call its methods.
type Talker interface {
	// Talk sends a conversation and returns the reply to its last message. If show is not nil, Talk
	// calls show with each piece of the reply as it arrives, in the calling goroutine. The error is an
	// *Error or the error of ctx. In that case the returned Talk holds the part of the reply that arrived.
	Talk(ctx context.Context, messages []Message, show func(piece string)) (Talk, error)
	// Model describes the model, for the user.
	Model() Model
	// Close releases the talker's resources. Requests in progress fail.
	Close() error
}

// Message is one message of a conversation. Role is "system", "user" or "assistant".
type Message struct{ Role, Content string }

// Talk is a model's reply to a conversation.
type Talk struct {
	Text  string
	Usage Usage
}
