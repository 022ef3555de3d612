//go:build unix

package provenance_test

import (
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/provenance"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// longChains are programs of a million events: one passes a value through a function again and again,
// one through an attribute and a list.
var longChains = map[string]string{
	"function": "def f(x):\n    y = x + 1\n    return y\nx = 0\nfor n in range(166_000):\n    x = f(x)\n",
	"fields": "class A: pass\na = A()\na.x = 0\nxs = [0]\nfor n in range(250_000):\n" +
		"    xs[0] = a.x\n    y = xs[0]\n    a.x = y + 1\nx = a.x\n",
}

// BenchmarkThousandHops measures the processor time of a chain of a thousand hops in a recording of a
// million events.
func BenchmarkThousandHops(b *testing.B) {
	for name, source := range longChains {
		tree := sync.OnceValue(func() *statetree.Tree { return record(b, pythons.Any(b), source) })
		b.Run(name, func(b *testing.B) {
			t := tree()
			p := query.Of(t)
			limits := provenance.Limits{Hops: 1000, Shown: 1000, Time: time.Hour}
			hops := 0
			before := processorTime(b)
			for b.Loop() {
				f := provenance.New(p, nil, limits, func() bool { return false })
				found, err := f.Find("x", p.ScopeAt(t.Len()-1), t.Len()-1)
				if err != nil {
					b.Fatal(err)
				}
				hops = len(found)
			}
			b.ReportMetric(float64((processorTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(t.Len()), "events")
			b.ReportMetric(float64(hops), "hops")
		})
	}
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
