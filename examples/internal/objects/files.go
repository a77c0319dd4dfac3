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
	r.found = false
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
