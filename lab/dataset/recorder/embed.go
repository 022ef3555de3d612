package recorder

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"sync"
)

//go:embed maker/*.py maker/programs/*.py
var makerFiles embed.FS

//go:embed carry.py
var carry string

// makerTexts returns the source texts of the Python package maker, by path.
var makerTexts = sync.OnceValue(func() map[string]string {
	texts := map[string]string{}
	err := fs.WalkDir(makerFiles, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := makerFiles.ReadFile(path)
		texts[path] = string(source)
		return err
	})
	if err != nil {
		panic(err) // impossible: the files are part of the binary
	}
	return texts
})

// makerHash returns a digest of the Python package maker's source.
var makerHash = sync.OnceValue(func() string {
	text, err := json.Marshal(makerTexts())
	if err != nil {
		panic(err) // impossible: JSON can represent all texts
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
})

// compilations caches the results of the function compiled, by interpreter and version.
var compilations struct {
	sync.Mutex
	of map[string][]byte
}

// compiled returns the Python package maker, compiled by an interpreter. The result is cached, because
// compiling takes longer than the rest of a worker's start. The cache is in memory, because a recorded
// program that runs as this user could change a file.
func compiled(ctx context.Context, python, version string) ([]byte, error) {
	key := python + "\x00" + version
	compilations.Lock()
	defer compilations.Unlock()
	if done := compilations.of[key]; done != nil {
		return done, nil
	}
	texts, err := json.Marshal(makerTexts())
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, python, "-I", "-c", carry+"\ncompiled()\n")
	cmd.Stdin = bytes.NewReader(texts)
	var said strings.Builder
	cmd.Stderr = &said
	done, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s does not compile what records programs: %w: %s", python, err, lastLine(said.String()))
	}
	if compilations.of == nil {
		compilations.of = map[string][]byte{}
	}
	compilations.of[key] = done
	return done, nil
}

// lastLine returns the last line of a process's output.
func lastLine(said string) string {
	said = strings.TrimSpace(said)
	return said[strings.LastIndexByte(said, '\n')+1:]
}
