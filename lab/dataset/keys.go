package dataset

import "github.com/npdb/npdb/lab/programs"

// keys is a set of hashes (programs.Key) for detecting duplicates. Those of generated programs are
// hashes of text and call. Given programs are used in several rounds, so their keys are hashes of the
// trajectories' texts. An entry uses less than 20 bytes.
type keys map[uint64]struct{}

// add adds a key, and reports whether it is new.
func (k keys) add(one uint64) bool {
	if _, again := k[one]; again {
		return false
	}
	k[one] = struct{}{}
	return true
}

// take adds the keys of a finished shard, whose description is p.
func (k keys) take(p *part) {
	for _, one := range p.Keys {
		k[uint64(one.Key)] = struct{}{}
	}
}

// textKey returns the key of a trajectory's text.
func textKey(text string) uint64 { return programs.Key(text, "") }
