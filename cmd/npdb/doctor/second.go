package doctor

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// secondSection is the name of the section about the second model, with which the first one is compared
// instead of CPython.
const secondSection = "against"

// second returns facts about the second model, and whether it answers.
func (g *Given) second(ctx context.Context) []Fact {
	switch {
	case g.Config == nil:
		return unread()
	case !g.Config.TwoModels():
		return []Fact{{Name: "model", Mark: Right, Text: "none: --against and --against-model name one, to stand in CPython's place"}}
	}
	m, err := g.Second()
	if err != nil {
		return []Fact{unanswered(err)}
	}
	return g.endpoint(ctx, m, cmp.Or(g.Config.Against.KeyFile, g.Config.From("model.key")))
}

// ofSecond returns descriptions of the facts about the second model, which is always on a server.
func ofSecond() []Named {
	list := slices.Clone(names)
	list = slices.DeleteFunc(list, func(n Named) bool { return n.Section != "model" || n.Name == "kernels" || n.Name == "measured" })
	for i := range list {
		list[i].Section = secondSection
		list[i].Means = "as in `model`, of the second model (`--against`)"
		if strings.HasPrefix(list[i].Value, ofOwn) {
			list[i].Value = ""
		}
	}
	return list
}
