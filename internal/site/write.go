package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed theme
var theme embed.FS

var layout = template.Must(template.ParseFS(theme, "theme/page.html"))

// repository begins the links to files that are not pages of the site.
const repository = "https://github.com/npdb/npdb"

// hit is a section in the search index.
type hit struct {
	Page    string `json:"page"`
	Address string `json:"address"`
	Title   string `json:"title"`
	Text    string `json:"text"`
}

// write writes the site of a repository into a folder.
func write(root, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var index []hit
	for _, p := range pages() {
		source, err := os.ReadFile(filepath.Join(root, p.File))
		if err != nil {
			return err
		}
		d := read(source)
		images, err := d.resolve(root, p.File)
		if err != nil {
			return fmt.Errorf("%s: %w", p.File, err)
		}
		for _, image := range images {
			if err := copyFile(filepath.Join(root, image), filepath.Join(out, path.Base(image))); err != nil {
				return err
			}
		}
		if err := writePage(d, p, out); err != nil {
			return fmt.Errorf("%s: %w", p.File, err)
		}
		for _, s := range d.sections {
			index = append(index, hit{Page: p.Name, Address: p.Address() + "#" + s.Anchor, Title: s.Title, Text: strings.Join(strings.Fields(s.Text), " ")})
		}
	}
	return writeTheme(out, index)
}

// writePage writes one page.
func writePage(d *document, p page, out string) error {
	var body, whole bytes.Buffer
	if err := markdown.Renderer().Render(&body, d.source, d.root); err != nil {
		return err
	}
	title := d.title()
	if p.File != "README.md" {
		title += " - npdb"
	}
	err := layout.Execute(&whole, map[string]any{
		"Title": title, "Here": p.Address(), "Groups": sidebar,
		"Body": template.HTML(body.String()), //nolint:gosec // the repository's own pages
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, p.Address()), whole.Bytes(), 0o644) //nolint:gosec // a page for everyone
}

// writeTheme writes the style sheet, the search script and the search index.
func writeTheme(out string, index []hit) error {
	style, err := theme.ReadFile("theme/style.css")
	if err != nil {
		return err
	}
	colors, err := codeColors()
	if err != nil {
		return err
	}
	script, err := theme.ReadFile("theme/search.js")
	if err != nil {
		return err
	}
	list, err := json.Marshal(index)
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"style.css": string(style) + colors, "search.js": string(script), "index.js": "const sections = " + string(list) + ";\n",
	} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o644); err != nil { //nolint:gosec // files for everyone
			return err
		}
	}
	return nil
}

// resolve rewrites the links of a page for the site: they lead to other pages, to copied images, or
// for all other files to the repository on GitHub. It returns the images to copy.
func (d *document) resolve(root, file string) (images []string, err error) {
	site := map[string]bool{}
	for _, p := range pages() {
		site[p.File] = true
	}
	d.links(func(destination string) string {
		target, anchor, local := target(file, destination)
		switch info, failed := os.Stat(filepath.Join(root, target)); {
		case !local:
			return destination
		case failed != nil:
			err = failed
		case site[target]:
			return strings.TrimSuffix(address(target)+"#"+anchor, "#")
		case path.Ext(target) == ".svg":
			images = append(images, target)
			return path.Base(target)
		case info.IsDir():
			return repository + "/tree/main/" + target
		default:
			return strings.TrimSuffix(repository+"/blob/main/"+target+"#"+anchor, "#")
		}
		return destination
	})
	return images, err
}

// target returns the file and the anchor to which a link of a page leads. local is false for a link to
// another host.
func target(page, destination string) (file, anchor string, local bool) {
	if strings.Contains(destination, "://") || strings.HasPrefix(destination, "mailto:") {
		return "", "", false
	}
	file, anchor, _ = strings.Cut(destination, "#")
	if file == "" {
		return page, anchor, true
	}
	return path.Join(path.Dir(page), file), anchor, true
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644) //nolint:gosec // a picture for everyone
}
