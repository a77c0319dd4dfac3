package objects

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// Read returns the objects in what is named: files, "-" for the standard input, and
// directories, of which it reads the manifests in them and below.
func Read(names []string, kinds Kinds, stdin io.Reader) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		r := reader{kinds: kinds, yield: yield}
		for _, name := range names {
			info, err := os.Stat(name)
			switch {
			case name != "-" && err == nil && info.IsDir():
				r.addTreeOf(os.DirFS(name), func(below string) string { return filepath.Join(name, filepath.FromSlash(below)) })
			default:
				data, err := command.ReadFile(name, stdin)
				r.addRead(name, data, err, false)
			}
		}
	}
}

// ReadFS returns the objects in the manifests of a file system.
func ReadFS(files fs.FS, kinds Kinds) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		r := reader{kinds: kinds, yield: yield}
		r.addTreeOf(files, func(below string) string { return below })
	}
}

// extensions are those of manifests in directories.
var extensions = []string{".yaml", ".yml", ".json"}

// addTreeOf reads the manifests of a directory and of all below it, in the order of their
// paths. Hidden ones are left out: .git, and the copies behind the links in the volume of a
// ConfigMap.
func (r *reader) addTreeOf(directory fs.FS, full func(below string) string) {
	found := false
	// The function never fails, and so the walk does not.
	_ = fs.WalkDir(directory, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case r.done:
			return fs.SkipAll
		case err != nil:
			found = true // there may be manifests
			r.addRead(full(name), nil, err, true)
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && slices.Contains(extensions, strings.ToLower(path.Ext(name))):
			found = true
			data, err := readRegular(directory, name)
			r.addRead(full(name), data, err, true)
		}
		return nil
	})
	if !found {
		r.addRead(full("."), nil, errNoManifests, true)
	}
}

// readRegular reads a file of a directory. What is not a regular file, such as a pipe, may never
// end.
func readRegular(directory fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(directory, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotRegular
	}
	return fs.ReadFile(directory, name)
}

var errNotRegular = errors.New("not a regular file")

var errNoManifests = errors.New("a directory without manifests: none of its files ends in .yaml, .yml or .json")

// addRead leaves the name out of errors, which the problem names already.
func (r *reader) addRead(name string, data []byte, err error, found bool) {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		err = pathError.Err
	}
	if err != nil {
		r.fail(Place{file: name}, "", err.Error())
		return
	}
	r.addFile(name, data, found)
}
