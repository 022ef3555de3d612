package eval

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/serve"
)

// BenchmarkLatency measures 400 problems with a server that answers after 300 ms, 64 at a
// time, and reports the ratio to the minimum that the latency allows.
func BenchmarkLatency(b *testing.B) {
	const problems, at, latency = 400, 64, 300 * time.Millisecond
	f := &fake{name: "slow", answer: func(q backend.Question) (dsl.Reply, error) {
		return returns(q.At, q.At.Current().Locals[0].Value), nil
	}}
	server, err := serve.New(serve.Config{
		Models: []serve.Model{{Name: "slow", Predictor: f}}, AtOnce: at, Misbehavior: serve.Misbehavior{Latency: latency},
	})
	if err != nil {
		b.Fatal(err)
	}
	listening := httptest.NewServer(server.Handler())
	defer listening.Close()
	p, err := openai.New(openai.Config{BaseURL: listening.URL + "/v1"})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	forced := (problems + at - 1) / at * latency
	for b.Loop() {
		r, err := MeasureCruxEval(b.Context(), Config{Predictor: p, Parallel: at, Only: MeasureOutput}, repeated(problems))
		if err != nil || r.N != problems || *r.Output.Pass1 != 1 {
			b.Fatalf("%v %+v", err, r)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(forced), "times-latency")
}
