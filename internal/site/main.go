// Command site writes npdb's documentation as static pages: README.md, CHANGELOG.md, CONTRIBUTING.md and the pages
// of docs. The pages need no server and request nothing from other hosts.
//
//	go run ./internal/site -o site
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", ".", "the repository's `folder`")
	out := flag.String("o", "site", "`folder` to write")
	flag.Parse()
	if err := write(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}
