package main

import (
	"path"
	"strings"
)

// group is a part of the sidebar.
type group struct {
	Title string
	Pages []page
}

// page is a page of the site. Name is its name in the sidebar.
type page struct{ Name, File string }

// sidebar lists all pages in their order.
var sidebar = []group{
	{"Start", []page{
		{"npdb", "README.md"},
		{"The screen", "docs/screen.md"},
		{"Commands", "docs/commands.md"},
		{"Keys", "docs/keys.md"},
		{"Configuration", "docs/configuration.md"},
		{"Themes", "docs/themes.md"},
		{"Doctor", "docs/doctor.md"},
		{"Limits", "docs/limits.md"},
	}},
	{"Debug", []page{
		{"Running programs", "docs/entry-points.md"},
		{"Recordings", "docs/recording.md"},
		{"History and branches", "docs/history.md"},
		{"Provenance", "docs/provenance.md"},
		{"Expressions", "docs/expressions.md"},
		{"Two runs", "docs/diff.md"},
		{"Blocks", "docs/blocks.md"},
		{"Threads and children", "docs/threads.md"},
		{"Failing tests", "docs/pytest.md"},
		{"Pages for others", "docs/export.md"},
		{"Speed", "docs/speed.md"},
	}},
	{"Predict and infer", []page{
		{"Neural mode", "docs/neural.md"},
		{"Side by side", "docs/side-by-side.md"},
		{"Comparison", "docs/comparison.md"},
		{"Infer the past", "docs/reverse.md"},
		{"Tracebacks", "docs/tracebacks.md"},
		{"Why", "docs/why.md"},
		{"npdb-30m", "docs/model-card.md"},
		{"Model servers", "docs/servers.md"},
		{"npdb serve", "docs/serve.md"},
	}},
	{"Editors and agents", []page{{"Editors", "docs/editors.md"}, {"Agents", "docs/mcp.md"}}},
	{"Formats", []page{{"nd/1", "docs/nd1.md"}, {"Chat", "docs/chat.md"}, {"Code World Model", "docs/cwm.md"}}},
	{"Laboratory", []page{{"npdb eval", "docs/eval.md"}, {"npdb dataset", "docs/dataset.md"}, {"Evidence", "docs/evidence.md"}}},
	{"npdb itself", []page{
		{"Contributing", "CONTRIBUTING.md"}, {"Architecture", "docs/architecture.md"}, {"Decisions", "docs/decisions.md"}, {"Releasing", "docs/releasing.md"}, {"Changes", "CHANGELOG.md"},
	}},
}

// address returns the file name of the page that is made from a Markdown file.
func address(file string) string {
	if file == "README.md" {
		return "index.html"
	}
	return strings.ToLower(strings.TrimSuffix(path.Base(file), ".md")) + ".html"
}

// Address returns the file name of the page.
func (p page) Address() string { return address(p.File) }

// pages returns all pages.
func pages() (all []page) {
	for _, g := range sidebar {
		all = append(all, g.Pages...)
	}
	return all
}
