package objects

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

func (r *reading) addNamed(name string) {
	r.found = false
	if name == "-" {
		r.addFile(name, r.Stdin)
		return
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
	case info.IsDir():
		r.addTreeOf(os.DirFS(name), func(below string) string { return filepath.Join(name, filepath.FromSlash(below)) })
		return
	case !info.Mode().IsRegular() && !ofShell(name):
		err = errNotRegular
	default:
		err = r.addOpened(name, func() (fs.File, error) { return os.Open(name) })
	}
	if err != nil {
		r.fail(Place{file: name}, "", reason(err))
	}
}

// ofShell reports whether a file is a pipe that ends: the standard input, or one that a shell creates
// for the output of a command.
func ofShell(name string) bool {
	return name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

func (r *reading) addOpened(name string, open func() (fs.File, error)) error {
	file, err := open()
	if err != nil {
		return err
	}
	defer file.Close()
	r.addFile(name, file)
	return nil
}

// extensions are those of manifests in directories.
var extensions = []string{".yaml", ".yml", ".json"}

// addTreeOf reads the manifests of a directory and of all below it, in the order of their
// paths. Hidden ones are ignored: .git, and the copies behind the links in the volume of a
// ConfigMap.
func (r *reading) addTreeOf(directory fs.FS, full func(below string) string) {
	found := false
	r.found = true
	fail := func(name string, err error) {
		r.fail(Place{file: full(name)}, "", reason(err))
	}
	// The function never returns an error, so neither does the walk.
	_ = fs.WalkDir(directory, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case r.done:
			return fs.SkipAll
		case err != nil:
			found = true // there may be manifests
			fail(name, err)
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && slices.Contains(extensions, strings.ToLower(path.Ext(name))):
			found = true
			if err := r.addRegular(directory, name, full(name)); err != nil {
				fail(name, err)
			}
		}
		return nil
	})
	if !found {
		fail(".", errNoManifests)
	}
}

// addRegular reads a file of a directory. Other files than regular ones, such as pipes, may never end.
func (r *reading) addRegular(directory fs.FS, name, full string) error {
	info, err := fs.Stat(directory, name)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errNotRegular
	}
	return r.addOpened(full, func() (fs.File, error) { return directory.Open(name) })
}

var errNotRegular = errors.New("not a regular file")

var errNoManifests = errors.New("no manifests: no file in this directory ends in .yaml, .yml or .json")
