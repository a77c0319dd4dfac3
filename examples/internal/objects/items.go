package objects

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// maxListDepth is how deep lists may be nested.
const maxListDepth = 10

// addStream reads the object of JSON at the beginning of a stream, and drops it. The items of a list are
// read and dropped one by one. The head is given if it is known, else nil. An error means that it is
// not JSON.
func (r *reading) addStream(s *stream, at Place, known *head) error {
	c, h := scanner{stream: s}, head{}
	if known != nil {
		h = *known
	}
	if first, _ := s.at(0); first != '{' {
		return errNotJSON
	}
	if r.untyped != nil {
		return r.addUntyped(s, at)
	}
	streamed, items, from, to := false, false, 0, 0
	end, err := c.fields(0, func(key string, i int) (int, error) {
		if first, _ := s.at(i); key == "items" && !streamed && first == '[' && r.listed(&c, &h, i) {
			streamed = true
			return r.addItems(&c, &h, i, at)
		}
		end, err := c.skip(i)
		if err != nil {
			return end, err
		}
		switch value := string(s.text()[i:min(end, i+4)]); {
		case key == "metadata":
			from, to = i, end
		case key == "items":
			items = value != "null"
		case known == nil:
			h.note(key, s.text()[i:end])
		}
		return end, nil
	})
	if err != nil {
		return err
	}
	if streamed {
		if !strings.HasSuffix(h.kind, "List") {
			r.fail(at, "kind", fmt.Sprintf("%q comes after items, which were read as those of a List", h.kind))
		}
	} else if known != nil {
		if at.object = nameOf(&h); items {
			r.fail(at, "items", "not a list")
		}
	} else {
		h.metadata = s.text()[from:to]
		if err := r.addRaw(at, s.text()[:end], &h, s.line, c.suspect); err != nil {
			return err
		}
	}
	s.drop(end)
	return nil
}

// listed reports whether the field items at a position belongs to a list. If the kind comes later, as
// kubectl writes it, the first item decides: whether it has a kind.
func (r *reading) listed(c *scanner, h *head, i int) bool {
	if h.kind != "" && h.apiVersion != "" {
		_, _, isList := h.list(r.Kinds)
		return isList
	}
	i = c.skipSpace(i + 1)
	if first, _ := c.at(i); first != '{' {
		return false
	}
	_, item, err := (&scanner{stream: c.stream}).object(i)
	return err == nil && item.apiVersion != "" && item.kind != "" && h.kind == ""
}

// addItems reads the items of the list at a position, and drops what is read.
func (r *reading) addItems(c *scanner, of *head, i int, at Place) (int, error) {
	if r.yaml != nil || r.batch != nil {
		return r.addEach(c, of, i, at)
	}
	r.batch = &batch{}
	end, err := r.addEach(c, of, i, at)
	if earlier := r.settle(); earlier != nil {
		err = earlier
	}
	r.batch = nil
	return end, err
}

func (r *reading) addEach(c *scanner, of *head, i int, at Place) (int, error) {
	prefix := at.item
	if prefix != "" {
		prefix += "."
	}
	i++
	for n := 0; ; {
		i = c.skipSpace(i)
		first, more := c.at(i)
		switch {
		case !more:
			return i, errCutOff
		case first == ']' || r.done:
			return i + 1, nil
		case first == ',':
			i++
			continue
		}
		at.item, at.object = fmt.Sprintf("%sitems[%d]", prefix, n), ""
		var end int
		var err error
		if prefix == "" && n < r.itemsRead {
			end, err = c.skip(i)
		} else {
			end, err = r.addItem(c, i, of, at)
		}
		if err != nil {
			if failed := (*itemError)(nil); !errors.As(err, &failed) {
				err = &itemError{at.item, err}
			}
			return i, err
		}
		c.drop(end)
		i = 0
		n++
	}
}

// addItem reads the item of a list at a position, and returns its end. The items of a PodList do not
// have the kind Pod.
func (r *reading) addItem(c *scanner, i int, of *head, at Place) (end int, err error) {
	var h head
	if first, _ := c.at(i); first == '{' {
		c.suspect = false
		end, h, err = c.object(i)
	} else {
		end, err = c.skip(i)
	}
	if err != nil || i == end {
		return end, cmp.Or(err, errNotJSON)
	}
	if apiVersion, kind, _ := of.list(r.Kinds); !h.some && kind != "" {
		h.apiVersion, h.kind, h.some = apiVersion, kind, true
	}
	return end, r.addRaw(at, c.text()[i:end], &h, c.lineAt(i), c.suspect)
}

// addRaw reads a complete value that begins in the given line. An error means that it is not JSON.
func (r *reading) addRaw(at Place, raw []byte, h *head, line int, suspect bool) error {
	_, _, isList := h.list(r.Kinds)
	if isObject := raw[0] == '{' && h.kind != "" && h.apiVersion != "" && !isList; isObject {
		return r.addObject(&object{at: at, raw: raw, head: *h, line: line, suspect: suspect})
	}
	if err := r.settle(); err != nil {
		return err
	}
	at.Line = r.beginning(at, line)
	if raw[0] != '{' {
		r.fail(at, "", "not an object: want a mapping with apiVersion and kind")
		return nil
	}
	switch {
	case !h.some && at.item == "" && r.found:
		r.skip(at, NotAnObject)
	case !h.some && at.item == "":
		r.fail(at, "", NotAnObject)
	case h.kind == "" && at.item == "" && r.found: // such as Chart.yaml
		r.skip(at, "not a Kubernetes object: it has no kind")
	case h.kind == "":
		at.object = nameOf(h)
		r.fail(at, "kind", "missing, or not a string")
	case h.apiVersion == "":
		at.object = nameOf(h)
		r.fail(at, "apiVersion", "missing, or not a string")
	case isList && strings.Count(at.item, "items[") >= maxListDepth:
		r.fail(at, "", fmt.Sprintf("lists nested more than %d deep", maxListDepth))
	case isList:
		s := newStream(bytes.NewReader(raw))
		s.line = line
		return r.addStream(s, at, h)
	}
	return nil
}
