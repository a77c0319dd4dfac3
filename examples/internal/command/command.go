// Package command has the parts of the examples that are common to commands: the flag -f, errors in
// arguments, and exit codes.
package command

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/kubemath/kubemath/computeresources"
)

// Exit codes. A program returns the largest that applies.
const (
	OK       = iota // success: everything is admitted
	Unread          // some input could not be read, or the arguments are invalid
	Rejected        // the API server would reject an object in the input
	Failed          // the program itself failed, or its output could not be written
)

// Files is the flag -f, which may be repeated.
type Files []string

// String returns no text, as there are no files by default.
func (f *Files) String() string { return "" }

// Set adds a file.
func (f *Files) Set(name string) error {
	*f = append(*f, name)
	return nil
}

// ErrVersion means that the version was requested and has been written.
var ErrVersion = errors.New("the version was requested")

// versionFlag is the flag -version.
type versionFlag struct {
	asked bool
	to    io.Writer
}

func (v *versionFlag) String() string   { return "" }
func (v *versionFlag) IsBoolFlag() bool { return true }

func (v *versionFlag) Set(text string) (err error) {
	v.asked, err = strconv.ParseBool(text)
	return err
}

// Version adds the flag -version, for which Parse writes the version of the program.
func Version(flags *flag.FlagSet, to io.Writer) {
	flags.Var(&versionFlag{to: to}, "version", "")
}

// versionOf returns "nodes v1.2.3", with the version of the module that the program was built from, or
// the commit if that has no version.
func versionOf(name string, info *debug.BuildInfo) string {
	if info == nil {
		return name + " (unknown version)"
	}
	text := name + " " + cmp.Or(info.Main.Version, "(devel)")
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && !strings.HasPrefix(info.Main.Version, "v") {
			text += " " + s.Value
		}
	}
	return text + " " + info.GoVersion
}

// Strict adds the flag -strict.
func Strict(flags *flag.FlagSet, to *bool) {
	flags.BoolVar(to, "strict", false, "")
}

// Kubernetes adds the flag -kubernetes, which sets the gates of a version.
func Kubernetes(flags *flag.FlagSet, to *computeresources.Gates) {
	flags.Func("kubernetes", "", func(version string) error {
		if version != "1.36" && version != "1.37" {
			return errors.New("neither 1.36 nor 1.37")
		}
		to.MaxPerContainer = version == "1.36"
		return nil
	})
}

// ExitCodes returns the description of the exit codes, with the given reasons for 1 and 2; empty for a program
// that never returns 2.
func ExitCodes(unread, rejected string) string {
	text := "\nexit codes:\n" +
		"  0  success\n" +
		"  1  invalid arguments, or " + unread + "\n"
	if rejected != "" {
		text += "  2  " + rejected + "\n"
	}
	return text + "  3  the program itself failed, or the output could not be written\n"
}

// Parse parses arguments, which must all be flags, and then calls check for contradictions between them;
// a nil check finds none. It writes errors to the output of flags.
func Parse(flags *flag.FlagSet, args []string, check func() error) error {
	if err := flags.Parse(args); err != nil {
		return err // which flags have written
	}
	if f := flags.Lookup("version"); f != nil {
		if v, ok := f.Value.(*versionFlag); ok && v.asked {
			info, _ := debug.ReadBuildInfo()
			if _, err := fmt.Fprintln(v.to, versionOf(flags.Name(), info)); err != nil {
				return err
			}
			return ErrVersion
		}
	}
	var err error
	switch {
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q: files are given with -f", flags.Arg(0))
	case check != nil:
		err = check()
	}
	if err != nil {
		fmt.Fprintf(flags.Output(), "%s: %v\n", flags.Name(), err)
	}
	return err
}

// CodeOf returns the exit code for an error of Parse: Unread for invalid arguments. A request for help or the
// version is not an error.
func CodeOf(err error) int {
	if err == nil || errors.Is(err, flag.ErrHelp) || errors.Is(err, ErrVersion) {
		return OK
	}
	return Unread
}
