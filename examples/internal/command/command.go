// Package command is what the examples have in common as commands: the flag -f, the files
// that it names, what is wrong with arguments, and exit codes.
package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
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

// Parse parses arguments that are flags only, and then asks check what is wrong with what
// they say together; a nil check finds nothing. It writes what is wrong to where flags write.
func Parse(flags *flag.FlagSet, args []string, check func() error) error {
	if err := flags.Parse(args); err != nil {
		return err // which flags have written
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

// CodeOf returns the exit code for an error of Parse: to ask for help is none.
func CodeOf(err error) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return OK
	}
	return Usage
}

// ReadFile reads a file, or the standard input if the name is "-". Its errors leave the name
// out, so that the caller can say where the file comes from.
func ReadFile(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	data, err := os.ReadFile(name)
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		return nil, pathError.Err
	}
	return data, err
}
