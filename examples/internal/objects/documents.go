package objects

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// Document is one document of a file, decoded without a type, or the error.
type Document struct {
	File   string
	Found  bool // in a directory: it may be something else than a manifest
	Number int  // within the file, from 1; 0 if the file could not be read
	Line   int  // where it begins in the file, or where its error is; 0 if it cannot be told
	// Tree has maps, lists, strings, booleans and json.Number; it is nil for a document that is
	// empty.
	Tree any
	Err  error // is command.ErrInternal if the program itself failed
	// Faults are probable mistakes.
	Faults []Fault
}

// failure is a panic in words.
type failure string

func (f failure) Error() string        { return string(f) }
func (f failure) Is(target error) bool { return target == command.ErrInternal }

// IsOther reports whether a document is a mapping but not a Kubernetes object, such as the values of a
// Helm chart, or, if it was found in a directory, a list or text.
func (d *Document) IsOther() bool {
	object, isMapping := d.Tree.(map[string]any)
	return isMapping && object["apiVersion"] == nil && object["kind"] == nil || !isMapping && d.Found
}

// NotAnObject is the reason why such a document is not read.
const NotAnObject = "not a Kubernetes object: it has neither apiVersion nor kind"

// Documents returns the documents of the named files and directories, as in Read.
func Documents(names []string, stdin io.Reader) iter.Seq[Document] {
	return documentsOf(stdin, func(r *reading) { r.addAll(names) })
}

// DocumentsFS returns the documents in the manifests of a file system.
func DocumentsFS(files fs.FS) iter.Seq[Document] {
	return documentsOf(nil, func(r *reading) { r.addFS(files) })
}

// DocumentsOf returns the documents in a file that is open already, under a name.
func DocumentsOf(name string, file io.Reader) iter.Seq[Document] {
	return documentsOf(nil, func(r *reading) { r.addFile(name, file) })
}

// documentsOf returns the documents that are read, and the problems as documents.
func documentsOf(stdin io.Reader, read func(*reading)) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		r := reading{Reader: Reader{Stdin: stdin}}
		r.untyped = func(at Place, tree any) {
			if !r.done {
				r.yielding = true
				r.done = !yield(Document{File: at.file, Found: r.found, Number: at.document, Line: at.Line, Tree: tree, Faults: r.takeRepeated()})
				r.yielding = false
			}
		}
		r.yield = func(o Object) bool {
			err := errors.New(o.Problems[0].Text)
			if o.Problems[0].Grade == Failed {
				err = failure(o.Problems[0].Text)
			}
			return yield(Document{File: o.file, Found: r.found, Number: o.document, Line: o.Line, Err: err})
		}
		read(&r)
	}
}

// addUntyped reads the JSON object at the beginning of a stream as a document, and drops it. An error
// means that it is not JSON.
func (r *reading) addUntyped(s *stream, at Place) error {
	end, _, err := (&scanner{stream: s}).object(0)
	if err != nil {
		return err
	}
	tree, err := decodeTree(s.text()[:end])
	if err != nil {
		return err
	}
	at.Line = r.beginning(at, s.line)
	r.untyped(at, tree)
	s.drop(end)
	return nil
}

// decodeTree decodes a value of JSON without a type, nil if there is none. It keeps numbers as they
// are written. The last of several equal keys counts, as in most JSON decoders.
func decodeTree(raw []byte) (tree any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("invalid JSON: %w", err)
	}
	return tree, nil
}
