// Package command is what the examples share as commands: the flag -f, the files that it names,
// errors in arguments, and exit codes.
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
)

// Exit codes. That of a program is the greatest that applies.
const (
	OK       = iota // nothing was wrong
	Unread          // something could not be read, or the output not be written
	Rejected        // an API server would reject something that was read
	Usage           // something was wrong with the arguments: nothing was read
)

// Files is the flag -f, which may be given again.
type Files []string

// String returns no text, as there are no files by default.
func (f *Files) String() string { return "" }

// Set adds a file.
func (f *Files) Set(name string) error {
	*f = append(*f, name)
	return nil
}

// ErrVersion says that the version was asked for, and has been written.
var ErrVersion = errors.New("the version was asked for")

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
	flags.Var(&versionFlag{to: to}, "version", "write the version, and do nothing else")
}

// versionOf returns "nodes v1.2.3", with the version of the module that the program was built from, and
// the commit if it was built from one that has no version.
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
	flags.BoolVar(to, "strict", false, "reject what otherwise is a warning: fields that are unknown or given twice, and amounts that\nare hardly meant, such as a memory of 512m")
}

// ExitCodes returns what the usage says of exit codes, of which 1 and 2 are for the given reasons.
func ExitCodes(unread, rejected string) string {
	return "\nexit codes:\n" +
		"  0  nothing was wrong\n" +
		"  1  " + unread + "\n" +
		"  2  " + rejected + "\n" +
		"  3  something was wrong with the arguments\n"
}

// Parse parses arguments that are flags only, and then asks check what is wrong with what
// they say together; a nil check finds nothing. It writes what is wrong to where flags write.
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

// CodeOf returns the exit code for an error of Parse. A request for help or the version is not an
// error.
func CodeOf(err error) int {
	if err == nil || errors.Is(err, flag.ErrHelp) || errors.Is(err, ErrVersion) {
		return OK
	}
	return Usage
}
