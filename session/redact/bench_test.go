package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/session/redact"
)

// BenchmarkValue redacts a value of a megabyte that holds nothing secret, anew each time.
func BenchmarkValue(b *testing.B) {
	var items []string
	for i := range 40_000 {
		items = append(items, fmt.Sprintf("{'name': 'item %d', 'n': %d}", i, i))
	}
	text := "[" + strings.Join(items, ", ") + "]"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact.New(rules(b)).Value("x", text)
	}
}
