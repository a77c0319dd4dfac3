package objects

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"iter"
	"reflect"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// Kinds are the types of the objects to read, by apiVersion and kind.
type Kinds map[[2]string]reflect.Type

// Reader reads objects. It holds at most one JSON object or one YAML document in memory.
type Reader struct {
	Kinds Kinds
	Stdin io.Reader
	Check Check
	Cache *Cache // nil for none
}

// Check is how to report probable mistakes: unknown or duplicate fields, and unlikely amounts, such as
// a memory of 512m. The zero value ignores them.
type Check int

const (
	Unchecked Check = iota
	Warn            // each is a problem of the grade Warning, of an object that is read nevertheless
	Strict          // each is a problem of the grade Invalid, and the object is not read
)

// Checked returns Strict, or else Warn.
func Checked(strict bool) Check {
	if strict {
		return Strict
	}
	return Warn
}

// Read returns the objects in the named files and directories, as the method Files does.
func Read(names []string, kinds Kinds, stdin io.Reader) iter.Seq[Object] {
	return Reader{Kinds: kinds, Stdin: stdin}.Files(names)
}

// ReadFS returns the objects in the manifests of a file system.
func ReadFS(files fs.FS, kinds Kinds) iter.Seq[Object] { return Reader{Kinds: kinds}.FS(files) }

// Object is an object that was read, or the problems of input that could not be read.
type Object struct {
	Place
	APIVersion, Kind string
	// Identity is that of an object that is Unknown.
	Identity Identity
	// Typed is a pointer to a value of the type of its kind, or nil if there are Problems other than
	// warnings.
	Typed    any
	Problems []Problem
}

// Unknown reports whether the object is well-formed and of none of the kinds.
func (o *Object) Unknown() bool {
	return o.Kind != "" && len(o.Problems) == 1 && o.Problems[0].Grade == Skipped
}

// reading yields the objects in files, until more is false.
type reading struct {
	Reader
	yield   func(Object) bool
	untyped func(at Place, tree any) // takes untyped documents; nil if they are decoded into objects
	emitted int
	done    bool // yield has returned false
	// yielding is set while the caller of the iterator has an object.
	yielding bool
	read     int       // objects so far
	found    bool      // the file was found in a directory, and may not be a manifest
	yaml     *yamlText // that the object was made of, if it is not JSON
	batch    *batch    // of the items of a list of JSON; nil outside of one
	// itemsRead are the items of the list of a document that have been read already.
	itemsRead int
}

func (r *reading) emit(o Object) {
	if !r.done {
		r.emitted++
		r.yielding = true
		r.done = !r.yield(o)
		r.yielding = false
	}
}

// guard calls a function that reads what is at a place, and reports whether it returns. If it panics, that is a
// problem of the place. A panic of the caller of the iterator is passed on.
func (r *reading) guard(at Place, line int, read func()) bool {
	err := command.Recovered(read)
	switch {
	case err == nil:
		return true
	case r.yielding:
		panic(err)
	}
	r.yaml, r.batch, r.itemsRead = nil, nil, 0
	at.Line = line
	r.emit(Object{Place: at, Problems: Problems(at, Failed, Fault{Text: err.Error(), Line: line})})
	return false
}

func (r *reading) fail(at Place, field, text string) {
	r.emit(Object{Place: at, Problems: Problems(at, Unreadable, Fault{Field: field, Text: text})})
}

func (r *reading) skip(at Place, text string) {
	r.emit(Object{Place: at, Problems: Problems(at, Skipped, Fault{Text: text})})
}

// addFile reads all documents of a file.
func (r *reading) addFile(name string, file io.Reader) {
	s, at := newStream(file), Place{file: name}
	r.guard(at, 0, func() { r.addDocuments(s, at) })
}

func (r *reading) addDocuments(s *stream, at Place) {
	if err := s.open(); err != nil {
		r.fail(at, "", err.Error())
		return
	}
	if _, more := s.at(s.skipSpace(0)); !more && s.failed() == nil && (at.file == "-" || ofShell(at.file)) {
		r.fail(at, "", errEmpty.Error()) // the command that should have written it has failed
		return
	}
	// Each "---" of YAML begins a document, even if it is empty. The text before the first counts, unless
	// it has only comments. Each JSON object is a document, even if several follow one another.
	for begun, lineStart := false, true; !r.done; {
		first, more := s.at(s.skipSpace(0))
		if !more || first != '{' || !r.addJSON(s, &at) {
			end := s.marker(lineStart)
			if text := s.text()[:end]; s.failed() == nil && (begun || !blank(text)) {
				at.document++
				r.guard(at, s.line, func() { r.addYAML(text, s.line, at) })
			}
			s.drop(end)
		}
		if err := s.failed(); err != nil {
			r.fail(Place{file: at.file}, "", reason(err))
			return
		}
		marker := s.marks(0)
		if marker == "" {
			return // the end of the file
		}
		s.drop(len(marker))
		begun, lineStart = marker == "---", false
	}
}

// addJSON reads objects up to a marker, and counts them in at. If the text is not JSON but YAML, which
// may have braces, too, it does nothing and reports false.
func (r *reading) addJSON(s *stream, at *Place) bool {
	for first := true; !r.done; first = false {
		s.drop(s.skipSpace(0))
		if _, more := s.at(0); !more || s.marks(0) != "" {
			return true
		}
		at.document++
		before := r.emitted
		var err error
		switch returned := r.guard(*at, s.line, func() { err = r.addStream(s, *at, nil) }); {
		case !returned:
			s.drop(s.marker(true))
			return true
		case err == nil:
			continue
		case r.emitted == before:
			end := s.marker(false) // before the text, which it may move
			text := s.text()[:end]
			if _, _, yamlErr := decodeYAML(text, s.line); first && (yamlErr == nil || isTemplate(text)) {
				at.document--
				return false
			}
			if errors.Is(err, errNotJSON) {
				err = cmp.Or(syntax(text), err)
			}
		}
		if s.failed() == nil {
			at := *at
			at.Line = s.line
			r.fail(at, "", err.Error())
		}
		s.drop(s.marker(true))
		return true
	}
	return true
}

var errEmpty = errors.New("cannot read: empty input")

// reason removes the name of the file from an error, because a problem names it already.
func reason(err error) string {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		err = pathError.Err
	}
	return err.Error()
}
