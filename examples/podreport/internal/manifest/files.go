package manifest

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// Read reads what is named: files, "-" for the standard input, and directories, of
// which it reads the manifests in them and below. Home is the namespace of objects that
// state none.
func Read(names []string, home string, stdin io.Reader) Input {
	in := Input{Home: home}
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case name != "-" && err == nil && info.IsDir():
			in.addTreeOf(os.DirFS(name), func(below string) string { return filepath.Join(name, filepath.FromSlash(below)) })
		default:
			data, err := command.ReadFile(name, stdin)
			in.addRead(name, data, err)
		}
	}
	return in
}

// ReadFS reads the manifests of a file system.
func ReadFS(files fs.FS, home string) Input {
	in := Input{Home: home}
	in.addTreeOf(files, func(below string) string { return below })
	return in
}

// extensions are those of manifests in directories.
var extensions = []string{".yaml", ".yml", ".json"}

// addTreeOf reads the manifests of a directory and of all below it, in the order of their
// paths. Hidden ones are left out: .git, and the copies behind the links in the volume of a
// ConfigMap.
func (in *Input) addTreeOf(directory fs.FS, full func(below string) string) {
	found := false
	// The function never fails, and so the walk does not.
	_ = fs.WalkDir(directory, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			found = true // for all that is known
			in.addRead(full(name), nil, err)
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && slices.Contains(extensions, strings.ToLower(path.Ext(name))):
			found = true
			data, err := fs.ReadFile(directory, name)
			in.addRead(full(name), data, err)
		}
		return nil
	})
	if !found {
		in.addRead(full("."), nil, errNoManifests)
	}
}

var errNoManifests = errors.New("a directory without manifests: none of its files ends in .yaml, .yml or .json")

// addRead leaves the name out of errors, which the problem names already.
func (in *Input) addRead(name string, data []byte, err error) {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		err = pathError.Err
	}
	if err != nil {
		in.fail(Place{file: name}, "", err.Error())
		return
	}
	in.addFile(name, data)
}
