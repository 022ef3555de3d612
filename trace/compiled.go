package trace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// compiledCache returns the file, less an ending that the interpreter adds, where
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

// bring answers an interpreter that has no compiled tracer.
func (r *Recording) bring(ctx context.Context, python string) error {
	var magic [magicSize]byte
	if _, err := io.ReadFull(r.proc.events, magic[:]); err != nil {
		return err
	}
	var code []byte
	if len(r.opts.Wrap) > 0 {
		code = toHand(ctx, python, magic)
	}
	frames := packData(code)
	if len(code) == 0 {
		_, modules := tracerSource()
		frames = append(frames, packMessage(modules...)...)
	}
	_, err := r.proc.commands.Write(frames)
	return err
}

// magicSize is the length of a Python's magic number: interpreters of one number have the
// same code.
const magicSize = 4

// handed keeps what toHand gives, by interpreter and magic number; nil where that gave
// nothing.
var handed struct {
	sync.Mutex
	of map[string][]byte
}

// toHand returns the compiled tracer for a contained interpreter, which sees no cache: told its
// sources it would compile them at each start. It is compiled, or taken from the cache,
// out there, by the same interpreter in isolation: what a sandbox gave back would not be
// handed to the next. nil where the interpreter is another one outside, or not there.
func toHand(ctx context.Context, python string, magic [magicSize]byte) []byte {
	key := python + "\x00" + string(magic[:])
	handed.Lock()
	defer handed.Unlock()
	code, known := handed.of[key]
	if known {
		return code
	}
	_, modules := tracerSource()
	loader := loaderText(-1, 1, 0, -1, -1, 0, 0, compiledCache())
	cmd := exec.CommandContext(ctx, python, "-I", "-S", "-c", loader)
	cmd.Dir = string(filepath.Separator)
	cmd.Stdin = bytes.NewReader(slices.Concat(packMessage(), packMessage(modules...)))
	said, err := cmd.Output()
	if ctx.Err() != nil {
		return nil // another start may have more time
	}
	if err == nil {
		code = ofMagic(said, magic)
	}
	if handed.of == nil {
		handed.of = map[string][]byte{}
	}
	handed.of[key] = code
	return code
}

// ofMagic returns the code that the loader has handed over, if the magic number before it is
// this one.
func ofMagic(said []byte, magic [magicSize]byte) []byte {
	switch {
	case bytes.HasPrefix(said, []byte("K")):
		said = said[1:]
	case len(said) > magicSize && said[0] == 'C':
		said = said[1+magicSize:]
	}
	code, _ := bytes.CutPrefix(said, magic[:])
	if len(code) == len(said) {
		return nil
	}
	return code
}
