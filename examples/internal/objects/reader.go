package objects

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"reflect"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// Kinds are the types of the objects to read, by apiVersion and kind: those of k8s.io/api, or Tree.
type Kinds map[[2]string]reflect.Type

// Reader reads objects. It holds at most one JSON object or one YAML document in memory, and of a list one item.
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

// Files returns the objects in the named files and directories, "-" for the standard input. It reads
// the manifests in directories and below.
func (r Reader) Files(names []string) iter.Seq[Object] {
	return r.all(func(r *reading) {
		for _, name := range names {
			if !r.done {
				r.addNamed(name)
			}
		}
	})
}

// File returns the objects in a file that is open already, under a name.
func (r Reader) File(name string, file io.Reader) iter.Seq[Object] {
	return r.all(func(r *reading) {
		r.Cache.begin()
		r.addFile(name, file)
		r.Cache.end()
	})
}

// FS returns the objects in the manifests of a file system.
func (r Reader) FS(files fs.FS) iter.Seq[Object] {
	return r.all(func(r *reading) { r.addTreeOf(files, func(below string) string { return below }) })
}

func (r Reader) all(read func(*reading)) iter.Seq[Object] {
	return func(yield func(Object) bool) { read(&reading{Reader: r, yield: yield}) }
}

// reading yields the objects in files, until more is false.
type reading struct {
	Reader
	yield   func(Object) bool
	emitted int
	read    int  // of these, objects
	done    bool // yield has returned false
	// yielding is set while the caller of the iterator has an object.
	yielding bool
	found    bool // the file was found in a directory, and may not be a manifest
}

func (r *reading) emit(o Object) {
	if !r.done {
		r.emitted++
		r.yielding = true
		r.done = !r.yield(o)
		r.yielding = false
	}
}

// guard calls a function that reads what is at a place. If it panics, that is a problem of the place. A panic of the
// caller of the iterator is passed on.
func (r *reading) guard(at Place, read func()) {
	err := command.Recovered(read)
	switch {
	case err == nil:
	case r.yielding:
		panic(err)
	default:
		r.emit(Object{Place: at, Problems: Problems(at, Failed, Fault{Text: err.Error(), Line: at.Line})})
	}
}

func (r *reading) fail(at Place, field, text string) {
	r.emit(Object{Place: at, Problems: Problems(at, Unreadable, Fault{Field: field, Text: text})})
}

func (r *reading) skip(at Place, text string) {
	r.emit(Object{Place: at, Problems: Problems(at, Skipped, Fault{Text: text})})
}

// notObject is what is said of a document or an item that is no object: it is skipped in a directory, where files of
// other kinds are.
func (r *reading) notObject(at Place, text string) {
	if r.found && at.item == "" {
		r.skip(at, NotAnObject)
	} else {
		r.fail(at, "", text)
	}
}

// NotAnObject is the reason why a document is not read.
const NotAnObject = "not a Kubernetes object: it has neither apiVersion nor kind"

const wantObject = "not an object: want a mapping with apiVersion and kind"

// addFile reads all documents of a file.
func (r *reading) addFile(name string, file io.Reader) {
	r.guard(Place{file: name}, func() { r.addDocuments(newSource(file), Place{file: name}) })
}

// addDocuments reads the documents. Each "---" begins one, even if it is empty. The text before the first counts, unless
// it has only comments. Each JSON object is a document, even if several follow one another.
func (r *reading) addDocuments(s *source, at Place) {
	err := s.open()
	if err == nil && s.empty() && (at.file == "-" || ofShell(at.file)) {
		err = errEmpty // the command that should have written it has failed
	}
	for begun := false; err == nil && !r.done; begun = s.next() == "---" {
		at.Line = 0
		if s.first() == '{' {
			if text, isJSON := r.addJSON(s, &at); !isJSON {
				at.document++
				s.unread(text)
				r.addYAML(s, at)
			}
		} else if begun || !s.blank() {
			at.document++
			r.addYAML(s, at)
		}
		s.skip()
		if err = s.err; s.last {
			break
		}
	}
	if err != nil {
		r.fail(Place{file: at.file}, "", reason(err))
	}
}

var errEmpty = errors.New("cannot read: empty input")

// reason removes the name of the file from an error, because a problem names it already.
func reason(err error) string {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		err = pathError.Err
	}
	return err.Error()
}
