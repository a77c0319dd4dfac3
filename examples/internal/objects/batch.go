package objects

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// Decoding takes most of the time. So the items of a list are decoded several at a time, and are emitted in
// their order.

const (
	batchItems = 64
	batchBytes = 4 << 20
)

// batch are items that are yet to be decoded.
type batch struct {
	items []object
	bytes int
}

// itemError names the item of a list that is not JSON.
type itemError struct {
	item string
	err  error
}

func (e *itemError) Error() string { return fmt.Sprintf("%s: %v", e.item, e.err) }
func (e *itemError) Unwrap() error { return e.err }

// addToBatch adds a copy of an object to the batch, because the stream overwrites its text.
func (r *reading) addToBatch(o *object) error {
	o.raw, o.head.metadata = bytes.Clone(o.raw), bytes.Clone(o.head.metadata)
	b := r.batch
	b.items = append(b.items, *o)
	if b.bytes += len(o.raw); len(b.items) == batchItems || b.bytes > batchBytes {
		return r.settle()
	}
	return nil
}

// settle decodes and emits the batch.
func (r *reading) settle() error {
	if r.batch == nil || len(r.batch.items) == 0 {
		return nil
	}
	items := r.batch.items
	r.batch.items, r.batch.bytes = nil, 0
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(items)) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(items)); i = next.Add(1) - 1 {
				r.decodeObject(&items[i])
			}
		})
	}
	group.Wait()
	for i := range items {
		if r.done {
			return nil
		}
		if err := r.addDecoded(&items[i]); err != nil {
			if failed := (*itemError)(nil); !errors.As(err, &failed) {
				err = &itemError{items[i].at.item, err}
			}
			return err
		}
	}
	return nil
}
