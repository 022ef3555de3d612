package dataset

import (
	"bytes"
	_ "embed"
	"text/template"

	"github.com/dustin/go-humanize"
)

const cardFile = "README.md"

//go:embed card.md
var cardText string

var cardTemplate = template.Must(template.New("card").Funcs(template.FuncMap{
	"comma": func(n any) string {
		switch n := n.(type) {
		case int:
			return humanize.Comma(int64(n))
		case int64:
			return humanize.Comma(n)
		}
		return ""
	},
	"bytes":  func(n int64) string { return humanize.IBytes(uint64(n)) },
	"splits": Splits,
}).Parse(cardText))

// card returns the page that the Hugging Face hub shows for a dataset, including the
// metadata for the hub's loader.
func card(m *Manifest) []byte {
	var b bytes.Buffer
	if err := cardTemplate.Execute(&b, m); err != nil {
		panic(err) // impossible: the template is fixed, and the fields that it names exist
	}
	return b.Bytes()
}
