package doctor

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/config"
)

// configuration returns facts about the configuration file, its errors, and each setting
// that is not a default.
func (g *Given) configuration(context.Context) []Fact {
	file := Fact{Name: "file", Mark: Right, Text: g.Path, Value: g.Path}
	switch _, err := os.Stat(g.Path); {
	case g.Path == "":
		file.Mark, file.Text = Note, "none: neither XDG_CONFIG_HOME nor HOME is an absolute path"
	case err != nil:
		file.Text += " (there is none)"
	}
	facts := []Fact{file}
	if g.Config == nil {
		return append(facts, Fact{
			Name: "fault", Mark: Wrong, Fails: true, Text: g.Fault.Error(),
			Do: "mend it; npdb config --help lists all settings",
		})
	}
	for _, w := range g.Config.Warnings {
		facts = append(facts, Fact{Name: "warning", Mark: Note, Text: w})
	}
	for _, r := range g.Config.Rows() {
		if r.Set {
			facts = append(facts, setting(r, g.Config))
		}
	}
	return facts
}

// setting returns a fact about a setting that is not a default. Of the extra fields for
// requests, which may contain anything, it only shows the names.
func setting(r config.Row, c *config.Loaded) Fact {
	if fields, err := c.Model.Extra.Fields(); r.Key == "model.extra" && err == nil {
		var names []string
		for name := range fields {
			names = append(names, name)
		}
		slices.Sort(names)
		r.Value = "set: " + strings.Join(names, ", ")
	}
	text := r.Value + ", from " + r.From
	if r.Value == "-" {
		text = "empty, from " + r.From
	}
	value := r.Value
	if plain, err := strconv.Unquote(value); err == nil {
		value = plain
	}
	return Fact{Name: "setting", Which: r.Key, Mark: Right, Text: text, Value: map[string]string{"value": value, "from": r.From}}
}
