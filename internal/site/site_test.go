package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

const root = "../.."

// markdownFiles returns the Markdown files of the repository.
func markdownFiles(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") && path != root):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".md"):
			file, err := filepath.Rel(root, path)
			files = append(files, filepath.ToSlash(file))
			return err
		}
		return nil
	})
	if err != nil || len(files) < 40 {
		t.Fatal(len(files), " Markdown files were found: ", err)
	}
	return files
}

// TestLinks checks that each relative link in a Markdown file of the repository leads to a file and, if it has
// an anchor, to a heading in it.
func TestLinks(t *testing.T) {
	documents := map[string]*document{}
	for _, file := range markdownFiles(t) {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		documents[file] = read(text)
	}
	checked := 0
	for file, d := range documents {
		d.links(func(destination string) string {
			to, anchor, local := target(file, destination)
			if !local {
				return destination
			}
			checked++
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s: %s leads nowhere: %v", file, destination, err)
			} else if at := documents[to]; at != nil && anchor != "" && !at.has(anchor) {
				t.Errorf("%s: %s names no heading of %s", file, destination, to)
			}
			return destination
		})
	}
	if checked < 200 {
		t.Errorf("only %d links were found", checked)
	}
}

// has reports whether the page has a heading with an anchor.
func (d *document) has(anchor string) bool {
	return slices.ContainsFunc(d.sections, func(s section) bool { return s.Anchor == anchor })
}

// TestAnchors checks that headings have the anchors that GitHub gives them.
func TestAnchors(t *testing.T) {
	d := read([]byte("# npdb serve: a `model` server\n\n## What's new?\n\n## nd/1 (v2)\n\n## nd/1 (v2)\n\n## snake_case & ümlaut\n"))
	var got []string
	for _, s := range d.sections {
		got = append(got, s.Anchor)
	}
	if want := []string{"npdb-serve-a-model-server", "whats-new", "nd1-v2", "nd1-v2-1", "snake_case--ümlaut"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSidebar checks that each page of docs is in the sidebar once, and that no two pages have one file name.
func TestSidebar(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	listed := map[string]int{}
	for _, p := range pages() {
		listed[p.File]++
	}
	for _, file := range files {
		if name := "docs/" + filepath.Base(file); listed[name] != 1 {
			t.Errorf("%s is %d times in the sidebar (pages.go)", name, listed[name])
		}
	}
	addresses := map[string]bool{}
	for _, p := range pages() {
		if addresses[p.Address()] {
			t.Errorf("two pages are called %s", p.Address())
		}
		addresses[p.Address()] = true
	}
}

// TestSite writes the site and checks that each link in it leads to a file and an anchor in that file, and that no
// page requests anything from another host.
func TestSite(t *testing.T) {
	out := t.TempDir()
	if err := write(root, out); err != nil {
		t.Fatal(err)
	}
	ids, links := map[string]bool{}, map[string][]string{}
	for _, p := range pages() {
		text, err := os.ReadFile(filepath.Join(out, p.Address()))
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := html.Parse(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		for n := range parsed.Descendants() {
			for _, a := range n.Attr {
				switch {
				case a.Key == "id":
					ids[p.Address()+"#"+a.Val] = true
				case a.Key == "href" && n.Data == "a" && strings.Contains(a.Val, "://"):
				case a.Key == "href" || a.Key == "src":
					if strings.Contains(a.Val, "//") {
						t.Errorf("%s requests %s", p.File, a.Val)
					}
					links[p.Address()] = append(links[p.Address()], a.Val)
				}
			}
		}
	}
	for from, list := range links {
		for _, link := range list {
			file, anchor, _ := strings.Cut(link, "#")
			if file == "" {
				file = from
			}
			if _, err := os.Stat(filepath.Join(out, file)); err != nil {
				t.Errorf("%s: %s: %v", from, link, err)
			}
			if anchor != "" && !ids[file+"#"+anchor] {
				t.Errorf("%s: %s has no such anchor", from, link)
			}
		}
	}
	for _, name := range []string{"style.css", "search.js", "index.js"} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || strings.Contains(string(text), "@import") || name != "index.js" && strings.Contains(string(text), "http") {
			t.Errorf("%s requests something: %v", name, err)
		}
	}
}
