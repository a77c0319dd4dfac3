package answer

import (
	"encoding/json"
	"testing"
)

// A document is kept as long as every text has it.
func TestCache(t *testing.T) {
	var c cache
	has := func(text string) bool {
		_, found := c.Load(text)
		return found
	}
	c.Store("a", json.RawMessage("1"))
	c.Store("b", json.RawMessage("2"))
	c.turn()
	if raw, found := c.Load("a"); !found || string(raw) != "1" {
		t.Errorf("%s, %t", raw, found)
	}
	c.turn() // without b
	if !has("a") || has("b") {
		t.Error("of a text without b, a is to be kept, and b is not")
	}
	c.turn()
	if !has("a") {
		t.Error("a is to be kept")
	}
}
