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

// compiledCache returns the path of the cache of the tracer's compiled code, without the
// suffix that the interpreter adds. Compiling the tracer takes longer than starting Python.
// It returns "" if there is no cache directory to write to.
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

// bring sends the tracer's code to an interpreter that found no compiled copy in the cache.
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

// magicSize is the length of the magic number of a Python version. Interpreters with the
// same number can run the same compiled code.
const magicSize = 4

// handed caches the results of toHand by interpreter and magic number. A result is nil if
// toHand failed.
var handed struct {
	sync.Mutex
	of map[string][]byte
}

// toHand returns the compiled tracer for a sandboxed interpreter, which cannot read the cache
// and would have to compile the sources at each start. The same interpreter compiles the code,
// or reads it from the cache, outside the sandbox and in isolated mode. Code from a sandbox
// would not be safe for the next one, because the program there may have changed it. toHand
// returns nil if the interpreter outside the sandbox is missing or different.
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
		return nil // not cached: the next start may have more time
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

// ofMagic extracts the compiled code from the loader's reply. It returns nil if the magic
// number in front of the code differs from the given one.
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
