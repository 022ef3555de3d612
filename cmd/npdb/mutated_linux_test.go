package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/saved"
)

// savedChunk is a chunk of a recording file.
type savedChunk struct {
	kind saved.Kind
	raw  []byte // its data in the file
	data []byte // decompressed
}

func partsOf(t *testing.T, file []byte) (parts []savedChunk) {
	t.Helper()
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	for b := file[len(saved.Magic):]; len(b) > 0; {
		size := binary.LittleEndian.Uint32(b[1:])
		p := savedChunk{kind: saved.Kind(b[0]), raw: b[9 : 9+size]}
		if p.data, err = decoder.DecodeAll(p.raw, nil); err != nil {
			t.Fatal(err)
		}
		parts, b = append(parts, p), b[9+size:]
	}
	return parts
}

// join makes a file of parts. The checksums are right, and the offsets of the index.
func join(parts []savedChunk) []byte {
	file := []byte(saved.Magic)
	log, directory := 0, 0
	for _, p := range parts {
		at := len(file)
		switch p.kind {
		case saved.KindPage:
			if log == 0 {
				log = at
			}
		case saved.KindDirectory:
			directory = at
			if p.raw == nil || log > 0 {
				_, n := binary.Uvarint(p.data)
				p.data, p.raw = append(binary.AppendUvarint(nil, uint64(log)), p.data[max(n, 0):]...), nil
			}
		case saved.KindTrailer:
			if n := len(p.raw) - 8; n > 0 {
				p.raw = binary.LittleEndian.AppendUint64(slices.Clone(p.raw[:n]), uint64(directory))
			}
		}
		if p.raw == nil {
			p.raw = packer.EncodeAll(p.data, nil)
		}
		file = append(file, byte(p.kind))
		file = binary.LittleEndian.AppendUint32(file, uint32(len(p.raw)))
		table := crc32.MakeTable(crc32.Castagnoli)
		sum := crc32.Update(crc32.Checksum(file[at:], table), table, p.raw)
		file = append(binary.LittleEndian.AppendUint32(file, sum), p.raw...)
	}
	return file
}

var packer, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))

// mutated returns a changed copy of a file: bytes are changed, cut, inserted or swapped, or the data
// of chunks is, with checksums that are right.
func mutated(parts []savedChunk, r *rand.Rand) []byte {
	parts = slices.Clone(parts)
	if r.IntN(4) == 0 {
		return scramble(join(parts), r)
	}
	for range 1 + r.IntN(3) {
		at, other := r.IntN(len(parts)), r.IntN(len(parts))
		switch r.IntN(8) {
		case 0:
			parts[at], parts[other] = parts[other], parts[at]
		case 1:
			parts = slices.Insert(parts, at, parts[other])
		case 2:
			parts = slices.Delete(parts, at, min(at+1+r.IntN(2), len(parts)-1))
		case 3:
			parts[at] = savedChunk{kind: parts[at].kind, data: parts[other].data}
		default:
			parts[at] = savedChunk{kind: parts[at].kind, data: scramble(slices.Clone(parts[at].data), r)}
		}
	}
	return join(parts)
}

// scramble changes some bytes.
func scramble(b []byte, r *rand.Rand) []byte {
	for range 1 + r.IntN(4) {
		if len(b) == 0 {
			return b
		}
		at := r.IntN(len(b))
		switch r.IntN(7) {
		case 0:
			b = b[:at]
		case 1:
			b = slices.Insert(b, at, byte(r.IntN(256)))
		case 2:
			large := []uint64{1<<31 - 1, 1<<32 - 1, 1 << 40, 1<<63 - 1, 1<<64 - 1}[r.IntN(5)]
			b = slices.Replace(b, at, at+1, binary.AppendUvarint(nil, large)...)
		case 3:
			other := r.IntN(len(b))
			b[at], b[other] = b[other], b[at]
		default:
			b[at] = []byte{byte(r.IntN(256)), b[at] + 1, b[at] - 1, b[at] ^ 0x80}[r.IntN(4)]
		}
	}
	return b
}

// measured runs a command and returns its output and its peak memory in bytes. The system's own
// figure counts the memory of the process that started the command.
func measured(cmd *exec.Cmd) (said []byte, memory int64, err error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	over, sampled := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sampled)
		for tick := time.NewTicker(5 * time.Millisecond); ; {
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)) // empty if the process has ended
			if _, peak, found := bytes.Cut(status, []byte("VmHWM:")); found {
				var kilobytes int64
				_, _ = fmt.Sscan(string(peak), &kilobytes)
				memory = max(memory, kilobytes<<10)
			}
			select {
			case <-tick.C:
			case <-over:
				return
			}
		}
	}()
	err = cmd.Wait()
	close(over)
	<-sampled
	return out.Bytes(), memory, err
}

// TestMutatedFiles opens changed recording files and moves in them: npdb must not crash, take long or
// need much memory.
func TestMutatedFiles(t *testing.T) {
	const (
		count, share = 1000, 100
		mostMemory   = 512 << 20
		mostTime     = 2 * time.Minute // of a loaded machine
	)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	npdb := filepath.Join(dir, "npdb")
	if err := os.Symlink(self, npdb); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "GORACE=atexit_sleep_ms=0")
	long := filepath.Join(dir, "long.npdb")
	record := exec.Command(npdb, "record", "--python", pythons.Any(t), "-o", long, "-c",
		"class P:\n    pass\np = P()\np.all = []\nfor k in range(40000):\n    p.last = k\n    p.all.append(str(k) * (k % 50))\nprint(k)")
	record.Env = env
	if said, err := record.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var files [][]savedChunk
	for _, path := range []string{long, filepath.Join("..", "..", "trace", "testdata", "saved", "format1-index1.npdb")} {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		parts := partsOf(t, raw)
		if !bytes.Equal(join(parts)[:len(saved.Magic)], raw[:len(saved.Magic)]) || parts[len(parts)-1].kind != saved.KindTrailer {
			t.Fatalf("%s has no index", path)
		}
		files = append(files, parts)
	}
	path := filepath.Join(dir, "changed.npdb")
	damaged, largest := 0, int64(0)
	for k := range count {
		if !longtest.In(t, k, share) {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(k), 0))
		if err := os.WriteFile(path, mutated(files[k%len(files)], r), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), mostTime)
		cmd := exec.CommandContext(ctx, npdb, "open", "--json", path)
		cmd.Env = env
		commands := strings.Split("s,rs,r,rn,where,p p,last p,goto 30,n,rf,goto 50%,up,rc,logpoint 5 \"{k}\",c,find k == 7,history k,goto 99%,provenance k", ",")
		r.Shuffle(len(commands), func(a, b int) { commands[a], commands[b] = commands[b], commands[a] })
		cmd.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\nq\n")
		said, memory, err := measured(cmd)
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 || bytes.Contains(said, []byte("goroutine ")) {
			t.Errorf("file %d: %v\n%s", k, err, said[bytes.Index(said, []byte("panic"))+1:])
		}
		cancel()
		if bytes.Contains(said, []byte("damaged")) {
			damaged++
		}
		if largest = max(largest, memory); memory > mostMemory && !longtest.Race {
			t.Errorf("file %d: %d MB of memory", k, memory>>20)
		}
	}
	t.Logf("npdb called %d files damaged and needed at most %d MB", damaged, largest>>20)
	if damaged == 0 {
		t.Error("no file was called damaged")
	}
}
