package command

import (
	"encoding/json"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/kubemath/kubemath/examples/internal/terminal"
)

// Session is a run of a subcommand. What is written to it is the answer, which is printed at the end.
type Session struct {
	*terminal.Text // as wide as the screen
	Stdin          io.Reader
	Stdout         io.Writer // for an answer that is too large to be kept
	Stderr         io.Writer

	code int
}

// Say writes a line to the standard error. The exit code is at least the given one.
func (s *Session) Say(code int, format string, args ...any) {
	fmt.Fprintf(s.Stderr, "kubemath: "+format+"\n", args...)
	s.Exit(code)
}

// Exit makes the exit code at least the given one.
func (s *Session) Exit(code int) { s.code = max(s.code, code) }

// JSON writes a value.
func (s *Session) JSON(value any) {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		s.Say(Failed, "%v", err)
		return
	}
	s.Write(append(text, '\n'))
}

// YAML writes a value as a document.
func (s *Session) YAML(value any) {
	s.WriteString("---\n")
	to := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, nil, nil,
		serializer.SerializerOptions{Yaml: true})
	if err := to.Encode(document{value}, s); err != nil {
		s.Say(Failed, "%v", err)
	}
}

// document makes an object of a value, for the serializer.
type document struct{ value any }

func (d document) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }
func (d document) DeepCopyObject() runtime.Object   { return d } // which nobody changes
func (d document) MarshalJSON() ([]byte, error)     { return json.Marshal(d.value) }

// Answering returns the program of a subcommand. Parse reads the arguments, and says itself what is wrong with them.
func Answering[O any](parse func(args []string, stdout, stderr io.Writer) (O, error),
	answer func(O, *Session)) Program {
	return Guarded("kubemath", func(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		o, err := parse(args, stdout, stderr)
		if err != nil {
			return CodeOf(err)
		}
		s := &Session{Text: terminal.For(stdout), Stdin: stdin, Stdout: stdout, Stderr: stderr}
		answer(o, s)
		s.Pass(stdout, unescaped(stdout)) // Guarded says if that fails
		return s.code
	})
}
