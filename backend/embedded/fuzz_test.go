package embedded

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
	"github.com/npdb/npdb/python"
)

// FuzzReadFile checks that a file is either rejected or can be used for computing, whatever its content.
func FuzzReadFile(f *testing.F) {
	whole, err := os.ReadFile("testdata/tiny.npdb")
	if err != nil {
		f.Fatal(err)
	}
	head := int(binary.LittleEndian.Uint32(whole[len(magic):])) + len(magic) + 4
	// A header and the number of bytes that follow it, so that the fuzzer can try long files with short
	// inputs.
	f.Add(whole[:head], uint32(len(whole)-head))
	f.Add(whole[:head], uint32(10))
	f.Add(whole[:20], uint32(0))
	f.Add([]byte("npdbnd1\n\x02\x00\x00\x00{}"), uint32(64))
	f.Fuzz(func(t *testing.T, data []byte, more uint32) {
		if n := int(more % (1 << 20)); n <= len(whole)-head {
			data = append(data[:len(data):len(data)], whole[head:head+n]...)
		}
		model, err := readFile(data)
		if err != nil {
			return
		}
		e := newEngine(model, portable, 1)
		e.compute(&sequence{}, []int{0, len(ours.words) - 1}[:min(2, model.Size.Window)])
	})
}

// FuzzReplies checks that replies of random tokens can be parsed and appended to any node.
func FuzzReplies(f *testing.F) {
	for i := range 12 {
		f.Add(uint64(i), uint8(i*5), uint8(i), uint8(i))
	}
	all := vectors.All()
	f.Fuzz(func(t *testing.T, seed uint64, which, place, move uint8) {
		last, _, err := dsl.ND1.Read(all[int(which)%len(all)].Wire)
		if err != nil {
			t.Fatal(err)
		}
		at := last
		for range place % 16 {
			if at.Parent() == nil || at.Parent().Parent() == nil {
				break
			}
			at = at.Parent()
		}
		if place >= 128 {
			if at, err = at.Compact(); err != nil {
				return
			}
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		a := actions(dsl.Location{Line: 1 + rng.IntN(20)}, dsl.Location{Line: 1})[move%10]
		reply, err := babble(newScene(at, a, python.Version{}).begin(), rng, 150)
		if err == nil {
			err = checkReply(at, a, reply)
		}
		if err != nil {
			t.Fatalf("%v at the end of\n%s\nis answered with\n%s\n%v", a, at.Text(), reply, err)
		}
	})
}
