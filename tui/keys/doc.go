// Package keys is the screen's key bindings: the table of what can be done, the
// keys that do it, profiles and the user's own table, and the way from a key
// press to an action.
//
// An action is what has a name in the configuration; a key is only what it is
// bound to. Help, the footer and docs/keys.md are all made from the one table.
package keys
