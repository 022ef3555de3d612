// Mutants makes small changes to packages, and counts how many of them the packages' own tests
// detect:
//
//	go run ./internal/mutants -seed 1 -n 200 ./dsl ./session/compare
//	go run ./internal/mutants -seed 1 -n 20 -with ./session ./session/nav
//
// It draws n mutants that compile, the same number from each package. The source tree is not
// changed: a mutant is compiled with an overlay (go help build, -overlay). The tests of the mutated
// package run first, then those of the packages in -with. If no test runs the changed line, the
// mutant survives. If the tests do not end in time, the mutant is caught. The same seed always
// draws the same mutants.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "which mutants are drawn")
	flag.IntVar(&o.n, "n", 50, "how many, of all packages together")
	flag.IntVar(&o.jobs, "j", max(1, runtime.NumCPU()/2), "how many are tried at a time")
	flag.StringVar(&o.at, "at", "", "try, of those drawn, only what stands at `PLACE`, such as json.go:12,node.go")
	flag.BoolVar(&o.all, "v", false, "name those that were caught as well")
	flag.StringVar(&o.with, "with", "", "also run the tests of these `PACKAGES`, such as ./session,./tui")
	flag.StringVar(&o.flags, "flags", "", "flags for the test binaries, such as -test.short")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: mutants [FLAGS] PACKAGE...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := o.try(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

type options struct {
	seed      uint64
	n, jobs   int
	at, flags string
	with      string
	all       bool
}

// try tests a sample of mutants of each package. It prints the survivors, and the number of caught
// mutants.
func (o options) try(patterns []string) error {
	packages, err := load(patterns)
	if err != nil {
		return err
	}
	var with []*pkg
	if o.with != "" {
		if with, err = load(strings.Split(o.with, ",")); err != nil {
			return err
		}
	}
	temp, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	table := []string{fmt.Sprintf("%-40s %7s %7s %9s %8s %7s", "package", "mutants", "caught", "timed out", "survived", "share")}
	sum := map[outcome]int{}
	for i, p := range packages {
		share := (o.n + len(packages) - 1 - i) / len(packages)
		counts, err := o.tryPackage(p, with, temp, share)
		if err != nil {
			return err
		}
		table = append(table, row(p.ImportPath, counts))
		for what, n := range counts {
			sum[what] += n
		}
	}
	fmt.Println()
	fmt.Println(strings.Join(append(table, row("all", sum)), "\n"))
	return nil
}

func (o options) tryPackage(p *pkg, with []*pkg, temp string, n int) (map[outcome]int, error) {
	b, err := newBench(p, with, temp, strings.Fields(o.flags))
	if err != nil {
		return nil, err
	}
	for _, s := range b.suites {
		fmt.Printf("%s: a mutant has %.0f seconds with the tests of %s\n", p.ImportPath, s.limit.Seconds(), s.ImportPath)
	}
	var mutants []mutant
	for _, m := range p.sample(o.seed, n) {
		if o.at == "" || b.isAt(m, o.at) {
			mutants = append(mutants, m)
		}
	}
	outcomes, errs := make([]outcome, len(mutants)), make([]error, len(mutants))
	next := make(chan int)
	var workers sync.WaitGroup
	for range max(1, o.jobs) {
		workers.Go(func() {
			for i := range next {
				outcomes[i], errs[i] = b.try(mutants[i])
				if o.all || outcomes[i] == survived || outcomes[i] == untested {
					fmt.Println(b.describe(mutants[i], outcomes[i]))
				}
			}
		})
	}
	for i := range mutants {
		next <- i
	}
	close(next)
	workers.Wait()
	counts := map[outcome]int{}
	for i, what := range outcomes {
		if errs[i] != nil {
			return nil, errs[i]
		}
		counts[what]++
	}
	return counts, nil
}

func (b *bench) isAt(m mutant, places string) bool {
	name := filepath.Base(m.file)
	for place := range strings.SplitSeq(places, ",") {
		if place == name || place == fmt.Sprintf("%s:%d", name, b.line(m.file, m.from)) {
			return true
		}
	}
	return false
}

// describe names a mutant by its position and the changed line.
func (b *bench) describe(m mutant, what outcome) string {
	text := b.texts[m.file]
	start := strings.LastIndexByte(string(text[:m.from]), '\n') + 1
	end := m.to + strings.IndexByte(string(text[m.to:]), '\n')
	place := m.file
	if here, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(here, m.file); err == nil {
			place = short
		}
	}
	before := strings.TrimSpace(string(text[start:end]))
	after := strings.TrimSpace(string(text[start:m.from]) + m.now + string(text[m.to:end]))
	return fmt.Sprintf("%s:%d: %s: %s\n\t%s\n\t%s", place, b.line(m.file, m.from), what, m.kind, before, after)
}

func row(name string, counts map[outcome]int) string {
	bad := counts[survived] + counts[untested]
	all := bad + counts[caught] + counts[timedOut]
	share := "-"
	if all > 0 {
		share = fmt.Sprintf("%d%%", 100*(all-bad)/all)
	}
	return fmt.Sprintf("%-40s %7d %7d %9d %8d %7s", name, all, counts[caught], counts[timedOut], bad, share)
}
