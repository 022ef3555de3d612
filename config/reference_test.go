package config

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/configuration.md")

const referencePath = "../docs/configuration.md"

// TestReference compares the reference page with the comments and tags of config.go.
func TestReference(t *testing.T) {
	want := reference()
	if *update {
		if err := os.WriteFile(referencePath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(referencePath)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what config.go says: run go generate ./config", referencePath)
	}
	for _, s := range settings {
		if docs[s.Key] == "" {
			t.Errorf("%s has no comment", s.Key)
		}
	}
}

const introduction = `# Configuration

<!-- Made from the comments in config/config.go: go generate ./config -->

npdb needs no configuration to debug a program with CPython, nor to ask the model
that it carries. To ask another one it needs the address of a server, and mostly the
model's name:

` + "```toml" + `
[model]
base_url = "http://127.0.0.1:8000/v1"
name = "nd-32b"
` + "```" + `

This is ` + "`$XDG_CONFIG_HOME/npdb/config.toml`" + `, where XDG_CONFIG_HOME is unset
` + "`~/.config/npdb/config.toml`" + `. ` + "`npdb config path`" + ` tells which it is,
` + "`npdb config`" + ` shows the settings in effect and where each comes from, ` + "`npdb\ndoctor`" + ` tries them, and asks the server what it can do ([doctor.md](doctor.md)).

A flag wins over the environment, the environment over the file, the file over
the default. Of several variables the first that is set, and not empty, counts.
A setting that npdb does not know is an error, with the one that may have been
meant.

**The key** is never given on the command line, where other users of the machine
see it. In this order: the file named by ` + "`--key-file`, the variable `NPDB_KEY`, the\nfile named by `NPDB_KEY_FILE`, the variable `OPENAI_API_KEY`, `key_file` and `key`" + `
in the configuration. A configuration that has both an endpoint and a key keeps
them together: its key is sent to no other endpoint, and OPENAI_API_KEY is not
sent to its endpoint. Its headers stay with its endpoint as well. A path in it
counts from the folder of the file. What a server repeats of a key or a header
is shown as ` + "`[secret]`" + `.

**The screen.** Themes of your own lie beside the file, in the folder ` + "`themes`" + `;
[themes.md](themes.md) says how to write one. [keys.md](keys.md) has the names of
the actions:

` + "```toml" + `
theme = "colorblind"
key_profile = "mine"
line_values = false

[keys]
next = ["n", "f10", "space"]

[[profiles]]
name = "mine"
base = "pudb"
keys = { copy = ["y", "ctrl+y"], mouse = [] }
` + "```" + `

A key that would do two things in one place is an error that names both.

On the screen ` + "`O`" + ` shows the settings that are looked for most and ` + "`P`" + ` the themes;
what is changed there is written into this file, where everything else stays as it
is. A file that has a key or headers in it is then its owner's alone to read.

`

// sections in the order of the page; the first one has no name in the file.
var sections = []string{"", "limits", "model", "against"}

func reference() string {
	var b strings.Builder
	b.WriteString(introduction)
	for _, section := range sections {
		if section == "" {
			b.WriteString("## At the top of the file\n")
		} else {
			fmt.Fprintf(&b, "## [%s]\n\n%s\n", section, docs[section])
		}
		b.WriteString("\n| setting | what it is | default | environment, flag |\n|---|---|---|---|\n")
		for _, s := range settings {
			in, name := cutLast(s.Key)
			if in != section {
				continue
			}
			def := s.def
			switch { // as the file has it
			case s.typ.Kind() == reflect.Map:
				name = "[" + s.Key + "]"
			case s.typ.Kind() == reflect.Slice && s.typ.Elem().Kind() == reflect.Struct:
				name = "[[" + s.Key + "]]"
			}
			if def == "" {
				def = "unset"
			}
			var ways []string
			for _, v := range s.Env {
				ways = append(ways, "`"+v+"`")
			}
			if s.Flag != "" {
				ways = append(ways, "`--"+s.Flag+"`")
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", name, cell(docs[s.Key]), def, strings.Join(ways, ", "))
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// cell returns a text as a cell of a table takes it.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`).Replace(text)
}
