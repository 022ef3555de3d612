package trace

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

//go:embed tracer/*.py
var tracerFiles embed.FS

// tracerSource is the tracer's Python: the loader, and the modules it loads as
// name, source, name, source …
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
		if name == "loader" {
			loader = string(source)
			continue
		}
		modules = append(modules, name, string(source))
	}
	return loader, modules
})

// compiledCache is the file, less an ending that the interpreter adds, where
// the tracer's compiled code is kept between runs: compiling it takes longer
// than starting Python. "" where there is no cache directory to write to.
func compiledCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir = filepath.Join(dir, "npdb")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return ""
	}
	loader, modules := tracerSource()
	sum := sha256.Sum256([]byte(loader + "\x00" + strings.Join(modules, "\x00")))
	return filepath.Join(dir, "tracer-"+hex.EncodeToString(sum[:8]))
}
