package statetree

// keyIndex caches the keys of large dicts that change, so that a new key is detected
// without reading the whole dict.
type keyIndex struct {
	dicts map[Object]map[handle]struct{}
	count int // number of keys
}

// mostKeys bounds the number of keys of all dicts together.
const mostKeys = 1 << 20

// of returns the cached keys of an object.
func (x *keyIndex) of(o Object) (keys map[handle]struct{}, known bool) {
	keys, known = x.dicts[o]
	return keys, known
}

// make reads the keys from an object's cells and caches them.
func (x *keyIndex) make(o Object, cells []handle) map[handle]struct{} {
	if x.dicts == nil || x.count > mostKeys {
		*x = keyIndex{dicts: map[Object]map[handle]struct{}{}}
	}
	keys := make(map[handle]struct{}, len(cells)/2)
	for k := 0; k < len(cells); k += 2 {
		keys[cells[k]] = struct{}{}
	}
	x.dicts[o] = keys
	x.count += len(keys)
	return keys
}

func (x *keyIndex) add(o Object, key handle) {
	if keys := x.dicts[o]; keys != nil {
		keys[key] = struct{}{}
		x.count++
	}
}

func (x *keyIndex) drop(o Object, key handle) {
	if keys := x.dicts[o]; keys != nil {
		delete(keys, key)
		x.count--
	}
}

// forget drops the cached keys of an object, because its content is being recorded anew.
func (x *keyIndex) forget(o Object) {
	if keys, known := x.dicts[o]; known {
		x.count -= len(keys)
		delete(x.dicts, o)
	}
}

// bytes returns the approximate memory used.
func (x *keyIndex) bytes() int64 {
	const key, dict = 16, 64
	return int64(x.count)*key + int64(len(x.dicts))*dict
}
