package trace

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed tracer/*.py
var tracerFiles embed.FS

// tracerSource returns the tracer's Python code: the loader, and the modules that the loader
// imports, as a list of name, source, name, source …
var tracerSource = sync.OnceValues(func() (loader string, modules []string) {
	entries, err := tracerFiles.ReadDir("tracer")
	if err != nil {
		panic(err) // the files are part of the binary
	}
	for _, e := range entries {
		source, err := tracerFiles.ReadFile("tracer/" + e.Name())
		if err != nil {
			panic(err)
		}
		name := strings.TrimSuffix(e.Name(), ".py")
		switch name {
		case "enter", "remote":
			continue
		case "loader":
			loader = string(source)
			continue
		}
		modules = append(modules, name, string(source))
	}
	return loader, modules
})

// loaderText returns the loader's Python code, preceded by a line with its parameters: the file
// descriptors of the shared memory, of the pipes for events, commands and credits, and of the
// loader's code itself; the number and size of the chunks of shared memory; and the path of the
// cache of compiled code.
func loaderText(memory, events, commands, credits, text, count, size int, cache string) string {
	loader, _ := tracerSource()
	return fmt.Sprintf("given = (%d, %d, %d, %d, %d, %d, %d, bytes.fromhex('%x'))\n", memory, events, commands, credits, text, count, size, cache) + loader
}

// enterText returns the Python code that a process runs which npdb did not start, to load the tracer.
func enterText() string { return tracerText("enter") }

// RemoteText returns the Python code that a process runs by sys.remote_exec to connect to npdb, which
// listens at the path of a socket.
func RemoteText(path string) string {
	return fmt.Sprintf("path = bytes.fromhex('%x')\n", path) + tracerText("remote")
}

// tracerText returns the text of a file of the tracer.
func tracerText(name string) string {
	text, err := tracerFiles.ReadFile("tracer/" + name + ".py")
	if err != nil {
		panic(err) // the file is part of the binary
	}
	return string(text)
}

// Renderer returns the Python code that decides how values are displayed (tracer/render.py). It
// imports nothing. Its function render returns the text of a value.
func Renderer() string { return tracerText("render") }
