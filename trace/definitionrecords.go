package trace

import "github.com/npdb/npdb/trace/statetree"

// definition reads the record of a file (path, text, path without links), a code object (file,
// name, qualified name, first line, last line, flags, arguments, names …), a further name of a
// code object (code, name), or a form.
func (d *decoder) definition(c *cursor, kind byte) {
	body := cursor{b: c.bytes()}
	var fields []string
	for c.err == nil && body.err == nil && body.n < len(body.b) {
		fields = append(fields, string(body.bytes()))
	}
	if c.err == nil {
		c.err = body.err
	}
	if c.err != nil {
		return
	}
	if d.keeps {
		d.defs = append(d.defs, c.b[:c.n]...)
	}
	switch {
	case kind == recFile && len(fields) == 3:
		d.files = append(d.files, d.file(fields[0], fields[2], []byte(fields[1])))
	case kind == recCode && len(fields) >= 7 && len(fields[5]) == 2:
		file, first, last, args := c.decimal(fields[0]), c.decimal(fields[3]), c.decimal(fields[4]), c.decimal(fields[6])
		if c.err == nil && c.check(file >= 0 && file < len(d.files), "file %d was not defined", file) {
			d.tree.AddCode(statetree.Code{
				File: d.files[file], Name: fields[1], QualName: fields[2], FirstLine: first, LastLine: last,
				Fast: fields[5][0] == '1', Generator: fields[5][1] == '1', Names: fields[7:],
				Args: args,
			})
			d.codes = append(d.codes, len(fields)-7)
		}
	case kind == recName && len(fields) == 2:
		code := c.decimal(fields[0])
		if c.err == nil && c.check(code >= 0 && code < len(d.codes), "code %d was not defined", code) {
			d.tree.AddName(code, fields[1])
			d.codes[code]++
		}
	case kind == recForm && len(fields) >= 11:
		d.form(c, fields)
	default:
		c.fail("definition %#x with %d fields", kind, len(fields))
	}
}

// file returns the tree's number of a file with this path without symbolic links (real). It
// adds a new file to the tree. If a known file has not run yet, it replaces its source.
func (d *decoder) file(path, real string, source []byte) int {
	if n, ok := d.paths[real]; ok {
		d.tree.ReplaceSource(n, source)
		return n
	}
	if d.paths == nil {
		d.paths = map[string]int{}
	}
	n := d.tree.AddFile(statetree.File{Path: path, Real: real, Name: d.name(path), Source: source})
	d.paths[real] = n
	return n
}
