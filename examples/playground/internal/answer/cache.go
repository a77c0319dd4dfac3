package answer

import (
	"encoding/json"
	"sync"
)

// cache has the documents of the text before, and of the one that is read. Its zero value is empty.
type cache struct {
	lock        sync.Mutex
	before, now map[string]json.RawMessage
}

// turn forgets what was not read since the last time.
func (c *cache) turn() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.before, c.now = c.now, nil
}

// Load returns a document, if it is kept, and keeps it.
func (c *cache) Load(text string) (raw json.RawMessage, found bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	raw, found = c.now[text]
	if found {
		return raw, true
	}
	raw, found = c.before[text]
	if found {
		c.keep(text, raw)
	}
	return raw, found
}

// Store keeps a document.
func (c *cache) Store(text string, raw json.RawMessage) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.keep(text, raw)
}

func (c *cache) keep(text string, raw json.RawMessage) {
	if c.now == nil {
		c.now = map[string]json.RawMessage{}
	}
	c.now[text] = raw
}
