// Package htmlpage writes a recording as one HTML page that needs nothing else: no network, no
// npdb and no Python.
//
// # What the page holds
//
// The page has a script, a style sheet and the recording. The recording is JSON, compressed with
// gzip and written in base64, so that no text of the program is HTML. A content security policy
// allows this script and this style sheet only.
//
// The recording is a stream of changes, event by event, which the script reads once (recorded.js):
// the line and kind of each event, what it pushes on the stack, the names whose value changes, and
// the texts of objects that a name on the stack holds, whenever such a text changes. The script
// finds the landing of each move by the table of moves (moves.js), as dsl.Goal defines it.
package htmlpage

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// MostEvents is the maximum number of events of a page.
const MostEvents = 50_000

// Recording has the methods of *trace.Recording that a page is made from. See there.
type Recording interface {
	Tree() *statetree.Tree
	Output(from, to int) []trace.Output
	Exit() *dsl.Exit
}

// Options says what a page shows.
type Options struct {
	Program string // the program's name
	Python  string // its version, "" if unknown
	Npdb    string // npdb's version
	// Shown is the position that the page shows first.
	Shown trace.Position
	// Last says that the page keeps the last events of a recording that is too long, not those
	// around Shown.
	Last bool
	// Most is the maximum number of events, 0 for MostEvents.
	Most        int
	Bookmarks   []Bookmark
	Breakpoints []dsl.Location
	// Redact hides secrets; nil hides nothing.
	Redact      *redact.Redactor
	Dark, Light *themes.Theme
}

// Bookmark is a state that the user gave a name.
type Bookmark struct {
	Event int  // not used if End is set
	End   bool // after the last event
	Name  string
	Note  string
}

// scripts are the parts of the page's script, in order. The first four use no part of the browser.
var scripts = []string{"recorded.js", "moves.js", "values.js", "search.js", "view.js", "timeline.js", "keys.js"}

//go:embed assets
var assets embed.FS

// Write writes the page of a recording. The same recording and options give the same bytes.
func Write(w io.Writer, rec Recording, o Options) error {
	packed, err := pack(collect(rec, o))
	if err != nil {
		return err
	}
	script, style := script(scripts), styleSheet(o.Dark, o.Light)
	_, err = io.WriteString(w, fill(asset("page.html"), map[string]string{
		"TITLE":  html.EscapeString(escape.Line(o.Program) + " · npdb"),
		"POLICY": "default-src 'none'; script-src '" + hash(script) + "'; style-src '" + hash(style) + "'; base-uri 'none'; form-action 'none'",
		"STYLE":  style, "SCRIPT": script, "RECORDING": packed,
	}))
	return err
}

// fill replaces each {{NAME}} in the skeleton of the page.
func fill(skeleton string, parts map[string]string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(skeleton, "{{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}}")
		b.WriteString(parts[name])
		skeleton = after
	}
}

func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // a name in this package
	}
	return string(text)
}

// script joins parts of the script.
func script(parts []string) string {
	var b strings.Builder
	b.WriteString("'use strict';\n")
	for _, name := range parts {
		b.WriteString(asset(name))
	}
	return b.String()
}

// hash returns a source of the content security policy that allows exactly this text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pack compresses a recording and writes it in characters that mean nothing in HTML.
func pack(d *data) (string, error) {
	plain, err := json.Marshal(d)
	if err != nil {
		return "", fmt.Errorf("the page cannot be written: %w", err)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(plain); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
