package keys

import "fmt"

// ConflictError reports a key that is bound to two actions of a context.
type ConflictError struct {
	Key     string
	Context Context
	Actions [2]string
}

func (e *ConflictError) Error() string {
	where := ""
	if e.Context != Global {
		where = " in " + e.Context.String()
	}
	return fmt.Sprintf("key %q is bound to both %s and %s%s: give one of them another key, or none with []",
		e.Key, e.Actions[0], e.Actions[1], where)
}

// UnknownError reports an unknown name of an action, a key or a profile.
type UnknownError struct {
	What string // "action", "key", "profile"
	Name string
	// Near is the most similar known name, "" for none.
	Near string
}

func (e *UnknownError) Error() string {
	if e.Near != "" {
		return fmt.Sprintf("there is no %s %q: did you mean %q?", e.What, e.Name, e.Near)
	}
	return fmt.Sprintf("there is no %s %q", e.What, e.Name)
}

// KeyError reports a key that terminals do not send in this form, or that cannot be bound.
type KeyError struct {
	Key    string
	Reason string
}

func (e *KeyError) Error() string { return fmt.Sprintf("key %q: %s", e.Key, e.Reason) }

// ProfileError reports an invalid profile.
type ProfileError struct {
	Profile string
	Reason  string
}

func (e *ProfileError) Error() string { return fmt.Sprintf("key profile %q: %s", e.Profile, e.Reason) }
