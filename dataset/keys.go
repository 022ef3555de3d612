package dataset

// keys are those of the generated programs that are kept. A key takes less than 20 bytes.
type keys map[uint64]struct{}

// add adds a key, and reports whether it is new.
func (k keys) add(one uint64) bool {
	if _, again := k[one]; again {
		return false
	}
	k[one] = struct{}{}
	return true
}

// take adds those of a shard.
func (k keys) take(p *part) {
	for _, one := range p.Keys {
		k[uint64(one.Key)] = struct{}{}
	}
}
