package python

import "testing"

// TestNotUTF8 checks which sources Python rejects because of their encoding: those that are not
// valid UTF-8 and declare no other encoding.
func TestNotUTF8(t *testing.T) {
	for _, c := range []struct {
		source string
		line   int // 0 if Python accepts the source
	}{
		{"x = 'é'\n", 0},
		{"x = '\xe9'\n", 1},
		{"\n\r\n# \xe9", 3},
		{"x = 1\ny = '\xff'\n# coding: latin-1\n", 2}, // the declaration must be in the first two lines
		{"# coding: latin-1\nx = '\xe9'\n", 0},
		{"#!python\n# -*- coding: cp1252 -*-\nx = '\x93'\n", 0},
		{"# coding: UTF-8\nx = '\xe9'\n", 2},
		{"\ufeff# coding: latin-1\nx = '\xe9'\n", 2},
	} {
		line, b, refused := NotUTF8([]byte(c.source))
		if refused != (c.line > 0) || line != c.line || refused && b < 0x80 {
			t.Errorf("%q: line %d, byte %x, refused is %v", c.source, line, b, refused)
		}
	}
}
