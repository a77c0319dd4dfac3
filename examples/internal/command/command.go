// Package command has the parts of the examples that are common to commands: their flags, errors in arguments,
// and exit codes.
package command

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
)

// Exit codes. A program returns the largest that applies.
const (
	OK       = iota // success: everything is admitted
	Unread          // some input could not be read, or the arguments are invalid
	Rejected        // the API server would reject an object in the input
	Failed          // the program itself failed, or its output could not be written
)

// Append returns the function of a flag that may be repeated, which adds each value to a list.
func Append(to *[]string) func(string) error {
	return func(value string) error {
		*to = append(*to, value)
		return nil
	}
}

// ErrVersion means that the version was requested and has been written.
var ErrVersion = errors.New("the version was requested")

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
// a nil check finds none. It writes errors to the output of flags, and the version, if it is asked for, to stdout.
func Parse(flags *flag.FlagSet, args []string, stdout io.Writer, check func() error) error {
	if err := flags.Parse(args); err != nil {
		return err // which flags have written
	}
	if f := flags.Lookup("version"); f != nil && f.Value.String() == "true" {
		info, _ := debug.ReadBuildInfo()
		fmt.Fprintln(stdout, versionOf(flags.Name(), info)) // Guarded says if that fails
		return ErrVersion
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
