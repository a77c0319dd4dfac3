// Package objects reads what kubectl reads: Kubernetes objects in files, directories and streams of YAML and JSON, by the
// decoders of apimachinery, in their order. It adds the line where a document begins, limits of size and time, and goes
// on behind what cannot be read, which it names.
//
// reader.go finds files, and returns their objects; input.go splits them into documents, and large lists into items;
// yaml.go and decode.go make objects of these, while more is read; problem.go says what could not be read.
package objects

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// Kinds are the types of the objects to read, by apiVersion and kind. Pointers to them are runtime.Objects.
type Kinds map[[2]string]reflect.Type

// Reader reads objects. It holds a document in memory, or some items of a list.
type Reader struct {
	Kinds Kinds
	Stdin io.Reader
	Check Check
	Cache Cache // nil for none
	// MaxBytes is how many bytes an object may have. 0 are 64 MiB: the API server takes requests of up to 3.
	MaxBytes int
	// Found is set if the files were found in a directory, where files of other kinds are: what is no object is skipped.
	Found bool
	// Matters gives an object of another kind the grade Uncomputed if it limits others or has pods.
	Matters bool
}

// Cache keeps documents of YAML, as JSON, for readers of the same files. It is used concurrently.
type Cache interface {
	Load(text string) (raw json.RawMessage, found bool)
	Store(text string, raw json.RawMessage)
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
	Identity         Identity
	// Typed is a pointer to a value of the type of its kind, or nil if there are Problems other than
	// warnings.
	Typed    any
	Problems []Problem
}

// Identity is what metadata says of an object. Values that are not text are omitted.
type Identity struct{ Namespace, Name, GenerateName, UID string }

// Matters reports whether the object is of another kind, but limits others or has pods: its problem says so.
func (o *Object) Matters() bool { return len(o.Problems) == 1 && o.Problems[0].Grade == Uncomputed }

// Unknown reports whether the object is well-formed and of none of the kinds.
func (o *Object) Unknown() bool {
	return o.Kind != "" && len(o.Problems) == 1 && (o.Problems[0].Grade == Skipped || o.Matters())
}

// Files returns the objects in the named files and directories, "-" for the standard input. It reads
// the manifests in directories and below.
func (r Reader) Files(names []string) iter.Seq[Object] {
	return r.all(func(r *reading) {
		for _, name := range names {
			r.addNamed(name)
		}
	})
}

// File returns the objects in a file that is open already, under a name.
func (r Reader) File(name string, file io.Reader) iter.Seq[Object] {
	return r.all(func(r *reading) { r.addFile(name, file) })
}

// FS returns the objects in the manifests of a file system.
func (r Reader) FS(files fs.FS) iter.Seq[Object] {
	return r.all(func(r *reading) { r.addTree(files, func(below string) string { return below }) })
}

func (r Reader) all(read func(*reading)) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		of := &reading{Reader: r, yield: yield, work: make(chan func(), mostAhead+1)}
		defer close(of.work)
		for range runtime.GOMAXPROCS(0) {
			go func() { // whose stack has grown after the first piece
				for decode := range of.work {
					decode()
				}
			}()
		}
		read(of)
		of.emit(0, 0)
	}
}

// How much is read ahead of what is emitted.
const (
	mostAhead  = 64
	bytesAhead = 1 << 20
)

// reading yields the objects of files in their order. Pieces of the files are decoded while others are read, because that
// takes most of the time.
type reading struct {
	Reader
	yield    func(Object) bool
	work     chan func() // the pieces to decode; it never blocks
	yielding bool        // the caller has an object
	done     bool        // and wants no more
	turn     int
	found    bool // the file was found in a directory, and may not be a manifest
	ahead    []*piece
	bytes    int // of these
}

// piece is a document, or an item of a list, that is being decoded.
type piece struct {
	decoding
	size    int
	decoded chan struct{}
}

// add decodes a piece of the file that is at a place.
func (r *reading) add(at Place, size int, decode func(*decoding)) {
	p := &piece{decoding{Reader: &r.Reader, found: r.found}, size, make(chan struct{})}
	r.ahead, r.bytes = append(r.ahead, p), r.bytes+size
	r.work <- func() {
		defer close(p.decoded)
		if failed := Guarded(at, func() { decode(&p.decoding) }); failed != nil {
			p.all = append(p.all, Object{Place: at, Problems: failed})
		}
	}
	r.emit(mostAhead, bytesAhead)
}

// emit yields the objects of the first pieces, until not more than so many are left.
func (r *reading) emit(most, bytes int) {
	for len(r.ahead) > most || r.bytes > bytes {
		p := r.ahead[0]
		r.ahead, r.bytes = r.ahead[1:], r.bytes-p.size
		<-p.decoded
		for _, o := range p.all {
			if !r.done {
				r.turn++
				o.Turn, r.yielding = r.turn, true
				r.done = !r.yield(o)
				r.yielding = false
			}
		}
	}
}

func (r *reading) fail(at Place, grade Grade, text string) {
	r.add(at, 0, func(d *decoding) { d.fail(at, grade, Fault{Text: text}) })
}

// addFile reads a file. If that panics, it is a problem of the file; a panic of the caller of the iterator is passed on.
func (r *reading) addFile(name string, from io.Reader) {
	at := Place{Source: Source{File: name}}
	var err error
	panicked := command.Recovered(func() { err = r.addDocuments(&input{from: from, line: 1}, at) })
	switch {
	case panicked != nil && r.yielding:
		panic(panicked)
	case panicked != nil:
		r.fail(at, Failed, panicked.Error())
	case err != nil:
		r.failFile(name, err)
	}
}

var (
	errNotRegular  = errors.New("not a regular file") // such as a pipe, which may never end
	errNoManifests = errors.New("no manifests: no file in this directory ends in .yaml, .yml or .json")

	// manifests are the extensions of files that are read in directories.
	manifests = []string{".yaml", ".yml", ".json"}
)

// addNamed reads a file or a directory, unless the caller wants no more.
func (r *reading) addNamed(name string) {
	if r.done {
		return
	}
	r.found = r.Found
	if name == "-" {
		r.addFile(name, r.Stdin)
		return
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		r.addTree(os.DirFS(name), func(below string) string { return filepath.Join(name, filepath.FromSlash(below)) })
		return
	}
	r.addOpened(name, info, err, func() (fs.File, error) { return os.Open(name) })
}

// ofShell reports whether a file is a pipe that ends: the standard input, or one that a shell creates
// for the output of a command.
func ofShell(name string) bool {
	return name == "-" || name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

func (r *reading) addOpened(name string, info fs.FileInfo, err error, open func() (fs.File, error)) {
	if err == nil && !info.Mode().IsRegular() && !ofShell(name) {
		err = errNotRegular
	}
	var file fs.File
	if err == nil {
		file, err = open()
	}
	if err != nil {
		r.failFile(name, err)
		return
	}
	defer file.Close()
	r.addFile(name, file)
}

// addTree reads the manifests of a directory and of all below it, in the order of their paths. Hidden ones are ignored:
// .git, and the copies behind the links in the volume of a ConfigMap.
func (r *reading) addTree(directory fs.FS, full func(below string) string) {
	found := false
	r.found = true
	_ = fs.WalkDir(directory, ".", func(name string, entry fs.DirEntry, err error) error { // which returns no error
		switch {
		case r.done:
			return fs.SkipAll
		case err != nil:
			found = true // there may be manifests
			r.failFile(full(name), err)
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && slices.Contains(manifests, strings.ToLower(path.Ext(name))):
			found = true
			info, err := fs.Stat(directory, name)
			r.addOpened(full(name), info, err, func() (fs.File, error) { return directory.Open(name) })
		}
		return nil
	})
	if !found {
		r.failFile(full("."), errNoManifests)
	}
}

// failFile adds why a file cannot be read, without its name, which a problem has already.
func (r *reading) failFile(name string, err error) {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		err = pathError.Err
	}
	r.fail(Place{Source: Source{File: name}}, Unreadable, err.Error())
}
