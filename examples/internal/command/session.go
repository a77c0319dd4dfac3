package command

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

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

const (
	progressAfter = 2 * time.Second
	progressEvery = 200 * time.Millisecond
)

// Progress shows on a terminal how many objects have been read, in one line that it overwrites.
type Progress struct {
	objects atomic.Int64
	ended   chan struct{}
	group   sync.WaitGroup
}

// Progress starts it after a delay, if the standard error is a terminal.
func (c *Common) Progress() *Progress {
	return startProgress(unescaped(c.flags.Output()), progressAfter, progressEvery)
}

func startProgress(to io.Writer, after, every time.Duration) *Progress {
	p := &Progress{ended: make(chan struct{})}
	if file, isFile := to.(terminal.Descriptor); isFile && terminal.Columns(file) > 0 {
		p.group.Go(func() { p.show(to, after, every) })
	}
	return p
}

const eraseLine = "\r\x1b[K"

func (p *Progress) show(to io.Writer, after, every time.Duration) {
	for wait := after; ; wait = every {
		select {
		case <-p.ended:
			if wait == every {
				io.WriteString(to, eraseLine)
			}
			return
		case <-time.After(wait):
			fmt.Fprintf(to, "%skubemath: %d objects read", eraseLine, p.objects.Load())
		}
	}
}

// Count counts an object.
func (p *Progress) Count() { p.objects.Add(1) }

// Stop ends it, and erases the line.
func (p *Progress) Stop() {
	close(p.ended)
	p.group.Wait()
}
