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

// TestReference checks that the reference page contains the comments and tags of config.go.
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

npdb needs no configuration to debug a program with CPython or to use the model
that it carries. To use another model, configure the address of a server and, on
most servers, the model's name:

` + "```toml" + `
[model]
base_url = "http://127.0.0.1:8000/v1"
name = "nd-32b"
` + "```" + `

The configuration file is ` + "`$XDG_CONFIG_HOME/npdb/config.toml`" + ` or, if
XDG_CONFIG_HOME is unset, ` + "`~/.config/npdb/config.toml`" + `. ` + "`npdb config path`" + `
prints the path in use. ` + "`npdb config`" + ` shows the settings in effect and the source
of each. ` + "`npdb doctor`" + ` tests the settings and the server ([doctor.md](doctor.md)).

Flags override environment variables, variables override the file, and the file
overrides the defaults. Of several variables npdb uses the first that is set and not
empty. An unknown setting is an error, which suggests a similar name.

**The key** is never on the command line, which other users of the machine can see.
npdb uses the first of these: the file named by ` + "`--key-file`, the variable `NPDB_KEY`,\nthe file named by `NPDB_KEY_FILE`, the variable `OPENAI_API_KEY`, `key_file` and `key`" + `
in the configuration. If a configuration has both an endpoint and a key, npdb sends
its key and headers to that endpoint only, and does not send OPENAI_API_KEY to the
endpoint. Paths in the configuration are relative to the file's folder. If a server
repeats a key or a header in a reply, npdb shows ` + "`[secret]`" + ` instead.

**The screen.** Put your own themes in the folder ` + "`themes`" + ` beside the file;
[themes.md](themes.md) says how to write a theme. [keys.md](keys.md) has the names of
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

If two actions have the same key in the same place, npdb reports an error that names
both actions.

On the screen ` + "`O`" + ` shows the most used settings and ` + "`P`" + ` the themes; npdb writes
your changes into the configuration file and keeps the rest of the file unchanged. If
the file contains a key or headers, npdb makes it readable by you only.

`

// sections lists the sections in the order of the page. The first one has no name in the file.
var sections = []string{"", "limits", "model", "against", "why"}

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
			switch { // in the spelling of the file
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

// cell escapes a text for the cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`).Replace(text)
}
