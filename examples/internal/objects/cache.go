package objects

import "encoding/json"

// Cache has the documents of YAML that File read last, as JSON. A file that is read again and again while
// somebody writes it is decoded only where it has changed. The zero value is an empty cache. It serves one call at a time.
type Cache struct{ before, now map[string]json.RawMessage }

func (c *Cache) begin() {
	if c != nil {
		c.now = map[string]json.RawMessage{}
	}
}

// end forgets what was not in the file. If reading is abandoned, what was read before remains.
func (c *Cache) end() {
	if c != nil {
		c.before, c.now = c.now, nil
	}
}

func (c *Cache) decodeYAML(text []byte, line int) (raw json.RawMessage, repeated []Fault, err error) {
	if c == nil {
		return decodeYAML(text, line)
	}
	raw, known := c.before[string(text)]
	if !known {
		raw, known = c.now[string(text)]
	}
	if !known {
		if raw, repeated, err = decodeYAML(text, line); err != nil || len(repeated) > 0 {
			return raw, repeated, err // both depend on the line
		}
	}
	c.now[string(text)] = raw
	return raw, nil, nil
}
