package rollout

import "testing"

func TestCache(t *testing.T) {
	var c Cache[Trail]
	first := Key{}.Then("a")
	if c.Get(first) != nil || first == (Key{}).Then("b") || first.Then("b") == (Key{}).Then("ab") {
		t.Error("keys are of what leads there, step by step")
	}
	trails := make([]*Trail, maxKept+1)
	key := Key{}
	for i := range trails {
		trails[i] = &Trail{next: i}
		key = key.Then("x")
		c.Put(key, trails[i])
		c.Put(key, trails[i]) // a second Put of the same trail must not add an entry
		if c.Get(key) != trails[i] {
			t.Fatalf("trail %d is not kept", i)
		}
	}
	if oldest := (Key{}).Then("x"); c.Get(oldest) != nil || c.Get(oldest.Then("x")) != trails[1] {
		t.Error("the one that was kept for longest goes first")
	}
}
