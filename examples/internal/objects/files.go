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
	return readFrom(filesNamed(names, stdin), kinds)
}

// ReadFS returns the objects in the manifests of a file system.
func ReadFS(files fs.FS, kinds Kinds) iter.Seq[Object] {
	return readFrom(filesIn(files), kinds)
}

func readFrom(files iter.Seq[file], kinds Kinds) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		r := reader{kinds: kinds, yield: yield}
		for f := range files {
			if r.addFile(f); r.done {
				return
			}
		}
	}
}

// file is a file that was read, or why it was not. One that was found in a directory may be
// something else than a manifest.
type file struct {
	name  string
	data  []byte
	found bool
	err   error
}

// filesNamed returns what is named, and the manifests in directories that are.
func filesNamed(names []string, stdin io.Reader) iter.Seq[file] {
	return func(yield func(file) bool) {
		for _, name := range names {
			if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
				for f := range filesIn(os.DirFS(name)) {
					f.name = filepath.Join(name, filepath.FromSlash(f.name))
					if !yield(f) {
						return
					}
				}
				continue
			}
			data, err := command.ReadFile(name, stdin)
			if !yield(file{name, data, false, err}) {
				return
			}
		}
	}
}

// extensions are those of manifests in directories.
var extensions = []string{".yaml", ".yml", ".json"}

// filesIn returns the manifests of a directory and of all below it, in the order of their
// paths. Hidden ones are left out: .git, and the copies behind the links in the volume of a
// ConfigMap.
func filesIn(directory fs.FS) iter.Seq[file] {
	return func(yield func(file) bool) {
		found, done := false, false
		emit := func(f file) error {
			found = true
			if done = !yield(f); done {
				return fs.SkipAll
			}
			return nil
		}
		// The function never fails, and so the walk does not.
		_ = fs.WalkDir(directory, ".", func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return emit(file{name, nil, true, withoutName(err)}) // there may be manifests
			case name != "." && strings.HasPrefix(entry.Name(), "."):
				if entry.IsDir() {
					return fs.SkipDir
				}
			case !entry.IsDir() && slices.Contains(extensions, strings.ToLower(path.Ext(name))):
				data, err := readRegular(directory, name)
				return emit(file{name, data, true, withoutName(err)})
			}
			return nil
		})
		if !found && !done {
			_ = emit(file{".", nil, true, errNoManifests})
		}
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

// withoutName returns an error without the name of the file, which the problem has already.
func withoutName(err error) error {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
