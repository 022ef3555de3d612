package dataset

import "github.com/npdb/npdb/lab/programs"

// keys contains the keys of what is kept: for generated programs, those of their texts and
// calls; for given ones, which repeat in rounds, those of their trajectories' texts. A key
// uses less than 20 bytes.
type keys map[uint64]struct{}

// add adds a key, and reports whether it is new.
func (k keys) add(one uint64) bool {
	if _, again := k[one]; again {
		return false
	}
	k[one] = struct{}{}
	return true
}

// take adds the keys of a shard.
func (k keys) take(p *part) {
	for _, one := range p.Keys {
		k[uint64(one.Key)] = struct{}{}
	}
}

// textKey returns the key of a trajectory's text.
func textKey(text string) uint64 { return programs.Key(text, "") }
