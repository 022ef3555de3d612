package pane

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/themes"
)

// BreakpointGlyph returns the mark of a breakpoint.
func BreakpointGlyph(b breakpoint.Breakpoint) (string, themes.Role) {
	switch {
	case !b.Enabled:
		return GlyphDisabled, themes.BreakpointDisabled
	case b.Condition != "" || b.Ignore > 0:
		return GlyphConditional, themes.BreakpointConditional
	}
	return GlyphBreakpoint, themes.Breakpoint
}

// ConditionLine returns the command that sets a breakpoint's condition, with the present condition
// to edit.
func ConditionLine(b breakpoint.Breakpoint) string {
	return strings.TrimRight(fmt.Sprintf("condition %d %s", b.Number, b.Condition), " ") + " "
}
