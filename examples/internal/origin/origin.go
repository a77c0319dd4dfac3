// Package origin reads what a subcommand is asked to read: files, the cluster of kubectl, or samples.
package origin

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os/exec"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// Objects returns the objects of the files, or of the cluster, or else the samples. Resources are the names for
// kubectl get.
func Objects(r objects.Reader, c *command.Common, samples fs.FS, resources ...string) iter.Seq[objects.Object] {
	switch {
	case len(c.Files) > 0:
		return r.Files(c.Files)
	case c.Cluster:
		return func(yield func(objects.Object) bool) {
			get(c, resources, func(name string, stdout io.Reader) bool {
				for o := range r.File(name, stdout) {
					if !yield(o) {
						return false
					}
				}
				return true
			}, func(name, text string) { yield(objects.Unread(name, text)) })
		}
	default:
		return r.FS(samples)
	}
}

// get runs kubectl, and calls read with what it prints, while it prints it, and fail with why it failed. Read reports
// whether the caller wants more.
func get(c *command.Common, resources []string, read func(name string, stdout io.Reader) bool, fail func(name, text string)) {
	args := arguments(c, resources)
	name := "kubectl " + strings.Join(args, " ")
	kubectl, complaint := exec.Command("kubectl", args...), &limited{}
	kubectl.Stderr = complaint
	stdout, err := kubectl.StdoutPipe()
	if err == nil {
		err = kubectl.Start()
	}
	if err != nil {
		fail(name, err.Error())
		return
	}
	if !read(name, stdout) {
		_ = kubectl.Process.Kill()
		_ = kubectl.Wait()
		return
	}
	if err := kubectl.Wait(); err != nil {
		text := strings.TrimSpace(complaint.String())
		if exit := (*exec.ExitError)(nil); text == "" || !errors.As(err, &exit) {
			text = err.Error()
		}
		fail(name, text)
	}
}

// Kubectl runs kubectl with arguments, which are never parsed by a shell, and returns what it prints, or why it failed.
func Kubectl(c *command.Common, args ...string) ([]byte, error) {
	if c.Context != "" {
		args = append(args, "--context="+c.Context)
	}
	kubectl, complaint := exec.Command("kubectl", args...), &limited{}
	kubectl.Stderr = complaint
	text, err := kubectl.Output()
	if said := strings.TrimSpace(complaint.String()); err != nil && said != "" {
		err = errors.New(said)
	}
	return text, err
}

// arguments are those of kubectl. They are never parsed by a shell.
func arguments(c *command.Common, resources []string) []string {
	args := []string{"get", strings.Join(resources, ","), "--output=json"}
	switch {
	case c.All:
		args = append(args, "--all-namespaces")
	case c.Namespace != "":
		args = append(args, "--namespace="+c.Namespace)
	}
	if c.Context != "" {
		args = append(args, "--context="+c.Context)
	}
	return args
}

// limited keeps the beginning of what is written.
type limited struct{ bytes.Buffer }

const mostComplaint = 4 << 10

func (l *limited) Write(text []byte) (int, error) {
	l.Buffer.Write(text[:min(len(text), mostComplaint-l.Len())])
	return len(text), nil
}
