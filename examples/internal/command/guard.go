package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
)

// Program is the function that the main of a program calls. It returns the exit code.
type Program = func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Guarded returns a program that behaves as all programs of the examples do: its output has no control characters
// of the input; if it panics, or its output cannot be written, it says so and returns Failed.
func Guarded(name string, program Program) Program {
	return func(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
		out, complaints := &output{to: stdout}, &output{to: stderr}
		err := Recovered(func() {
			code = program(args, stdin, out, complaints)
			out.end()
		})
		if code != Failed { // otherwise the program has said why
			err = cmp.Or(err, out.failed())
		}
		if err != nil {
			code = Failed
			_ = Recovered(func() { fmt.Fprintf(complaints, "%s: %v\n", name, err) }) // there is nowhere else to say so
		}
		return code
	}
}

// ErrInternal is what errors of Recovered are: a mistake in the program.
var ErrInternal = errors.New("internal error")

// internalError is a panic.
type internalError struct {
	value any
	in    string // the function and the line
}

func (e *internalError) Error() string {
	return fmt.Sprintf("%v in %s, please report it: %v", ErrInternal, e.in, e.value)
}

func (e *internalError) Is(target error) bool { return target == ErrInternal }

// Recovered calls a function, and returns its panic as an error that is ErrInternal.
func Recovered(do func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *internalError: // which was recovered before, and panicked again
			err = p
		default:
			err = &internalError{p, panicking()}
		}
	}()
	do()
	return nil
}

// panicking returns the function that panics, and its line. It has to be called by the deferred function.
func panicking() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for begun := false; ; {
		frame, more := frames.Next()
		if begun && !strings.HasPrefix(frame.Function, "runtime.") || !more {
			return fmt.Sprintf("%s, line %d", path.Base(frame.Function), frame.Line)
		}
		begun = begun || frame.Function == "runtime.gopanic"
	}
}
