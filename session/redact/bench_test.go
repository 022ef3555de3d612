package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/session/redact"
)

// BenchmarkValue redacts a new value of a megabyte without a secret in each iteration.
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
