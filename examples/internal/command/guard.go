package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kubemath/kubemath/examples/internal/terminal"
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

// output is the standard output, or the standard error. It escapes what could control a terminal, because every
// text of the input may contain it: control characters other than line breaks and tabs, and invisible ones such
// as those that reverse the direction of text. The escapes are those of JSON, in which they change nothing.
type output struct {
	to   io.Writer
	rest []byte // the beginning of a character, which the next text completes
	err  error  // the first error in writing
}

// Write writes a text, and returns the first error of all writes. It never writes less than all of the text.
func (o *output) Write(text []byte) (int, error) {
	n := len(text)
	if len(o.rest) > 0 {
		text, o.rest = append(o.rest, text...), nil
	}
	if end := len(text) - incomplete(text); end < len(text) {
		text, o.rest = text[:end], bytes.Clone(text[end:])
	}
	o.write(clean(text))
	return n, o.err
}

func (o *output) end() {
	o.write(clean(o.rest))
	o.rest = nil
}

func (o *output) write(text []byte) {
	if len(text) == 0 || o.err != nil {
		return
	}
	_, o.err = o.to.Write(text)
}

func (o *output) failed() error {
	if o.err == nil {
		return nil
	}
	return fmt.Errorf("writing the output: %w", o.err)
}

// Fd returns the descriptor of the file, or an invalid one if the output is not a file.
func (o *output) Fd() uintptr {
	if file, isFile := o.to.(terminal.Descriptor); isFile {
		return file.Fd()
	}
	return ^uintptr(0)
}

// unescaped returns the file of an output, for what controls a terminal.
func unescaped(to io.Writer) io.Writer {
	if o, isOutput := to.(*output); isOutput {
		return o.to
	}
	return to
}

// incomplete returns how many bytes at the end of a text are the beginning of a character.
func incomplete(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}

// clean returns a text with its control characters and invisible characters escaped.
func clean(text []byte) []byte {
	var cleaned []byte
	kept := 0 // up to here the text is in cleaned
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			r = rune(text[i]) // as in Latin-1: terminals of 8 bits have control characters there
		} else if !controls(r) {
			i += size
			continue
		}
		cleaned = append(cleaned, text[kept:i]...)
		for _, unit := range utf16.Encode([]rune{r}) {
			cleaned = fmt.Appendf(cleaned, `\u%04x`, unit)
		}
		i += size
		kept = i
	}
	if kept == 0 {
		return text
	}
	return append(cleaned, text[kept:]...)
}

// controls reports whether a character may control a terminal, or change how others are shown.
func controls(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
