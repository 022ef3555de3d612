package main

import "testing"

func TestDrawsUTF8(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"LANG": "de_DE.UTF-8"}, true},
		{map[string]string{"LANG": "C.utf8"}, true},
		{map[string]string{"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, false},
		{map[string]string{"LC_CTYPE": "en_US.UTF-8", "LANG": "C"}, true},
		{map[string]string{"LANG": "en_US.ISO-8859-1"}, false},
	} {
		if got := drawsUTF8(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}
