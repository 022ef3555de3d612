// Command release builds the files of a release of npdb in one folder:
//
//	go run ./internal/release -version v1.2.3
//
// The files depend only on the commit, the version and the version of Go, so that anybody can build
// them again and compare the hashes. Only the .rpm also contains the name of the machine.
// docs/releasing.md lists the files and says how they are published.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	tag := flag.String("version", "", "the `TAG` of the release, for example v1.2.3 or v1.2.3-rc.1")
	out := flag.String("out", "dist", "the `FOLDER` to write, new or empty")
	flag.Parse()
	if flag.NArg() > 0 || *tag == "" {
		fmt.Fprintln(os.Stderr, "usage: release -version TAG [-out FOLDER], in npdb's repository")
		os.Exit(2)
	}
	if err := run(*tag, *out); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(tag, out string) error {
	v, err := parseVersion(tag)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "npdb-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // a temporary folder that stays does no harm
	r, err := newRelease(v, ".", out, work)
	if err != nil {
		return err
	}
	return r.make()
}
