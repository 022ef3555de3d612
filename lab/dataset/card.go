package dataset

import (
	_ "embed"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

const cardFile = "README.md"

//go:embed card.md
var cardText string

// card returns the page that the Hugging Face hub shows for a dataset, including the
// metadata for the hub's loader.
func card(m *Manifest) []byte {
	var dataFiles, table strings.Builder
	for _, name := range Splits() {
		s, ok := m.Splits[name]
		if !ok || s.Files == 0 {
			continue
		}
		fmt.Fprintf(&dataFiles, "\n  - split: %[1]s\n    path: %[1]s-*.jsonl.zst", name)
		fmt.Fprintf(&table, "\n| %s | %s | %s | %s | %s | %s | %s |", name, humanize.Comma(int64(s.Files)), humanize.IBytes(uint64(s.Size)),
			humanize.Comma(int64(s.Tally.Programs)), humanize.Comma(int64(s.Tally.Lines)), humanize.Comma(s.Tally.Bytes), humanize.Comma(s.Tally.Tokens))
	}
	programs := "generated programs"
	if m.Settings.Source.Kind != Generated {
		programs = humanize.Comma(int64(m.Settings.Source.Programs)) + " given programs"
	}
	parts := map[string]string{
		"data_files": dataFiles.String(), "table": table.String(), "programs": programs, "seed": strconv.FormatUint(m.Settings.Seed, 10),
		"npdb": m.Settings.Npdb, "python": m.Settings.Python,
	}
	return []byte(os.Expand(cardText, func(name string) string { return parts[name] }))
}
