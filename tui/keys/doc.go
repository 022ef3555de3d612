// Package keys holds the screen's key bindings: the table of actions, their keys, profiles and the
// user's bindings, and the lookup of key presses.
//
// An action has a name in the configuration, to which keys are bound. Help, the footer and
// docs/keys.md are generated from the table.
package keys
