// Package origin reads what a subcommand is asked to read: files, the cluster of kubectl, or samples.
package origin

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Objects returns the objects of the files, or of the cluster, or else the samples. Resources are the names for
// kubectl get.
func Objects(r objects.Reader, c *command.Common, samples fs.FS, resources ...string) iter.Seq[objects.Object] {
	switch {
	case len(c.Files) > 0:
		return Files(r, c, c.Files)
	case c.Cluster:
		return origin{Reader: r, strict: c.Strict, narrower: c.Narrower}.output("kubectl", arguments(c, resources))
	default:
		return r.FS(samples)
	}
}

// Files returns the objects of files. Directories of charts and kustomizations are rendered, if the program that does
// so is installed; what is run is said. In other directories, so are those that nothing else is made of: see roots.
func Files(r objects.Reader, c *command.Common, names []string) iter.Seq[objects.Object] {
	return within(c, func(yield func(objects.Object) bool) {
		turn, more := 0, true
		pass := func(all iter.Seq[objects.Object]) {
			begin := turn
			for o := range all {
				o.Turn += begin
				turn = max(turn, o.Turn)
				more = yield(o)
				if !more {
					return
				}
			}
		}
		all, uninstalled := parts(c, names)
		for i := 0; i < len(uninstalled) && more; i++ {
			more = yield(objects.LeftOut(uninstalled[i], "the chart "+uninstalled[i]+" is left out, because helm is not installed", c.Strict))
		}
		made := renderings{}
		for i := 0; i < len(all) && more; i++ {
			if run := renderer(c, all[i]); run != nil {
				c.Say("running " + strings.Join(run, " "))
				pass(made.of(all[i], origin{Reader: r}.output(run[0], run[1:]), c.Strict))
			} else {
				files := r
				files.Found = !slices.Contains(names, all[i])
				pass(files.Files(all[i : i+1]))
			}
		}
	})
}

func isInstalled(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// renderer returns what to run for a directory, nil if it is read as it is.
func renderer(c *command.Common, dir string) []string {
	if c.NoRender {
		return nil
	}
	path := dir
	if strings.HasPrefix(path, "-") { // no flag
		path = "." + string(filepath.Separator) + path
	}
	has := func(name string) bool { return isRegular(filepath.Join(dir, name)) }
	var commands [][]string
	switch {
	case has(chart):
		helm := []string{"helm", "template", "release", path, "--kube-version=" + chartRelease(c)}
		if c.Namespace != "" {
			helm = append(helm, "--namespace="+c.Namespace)
		}
		commands = [][]string{helm}
	case slices.ContainsFunc(kustomizations, has):
		commands = [][]string{{"kustomize", "build", path}, {"kubectl", "kustomize", path}}
	default:
		return nil
	}
	for _, args := range commands {
		if isInstalled(args[0]) {
			return args
		}
	}
	c.Say(wording.Printable(dir) + " is read as it is, because " + commands[0][0] + " is not installed")
	return nil
}

// origin is how the output of a program is read. What the user may not list is left out, which fails if strict: all of it
// only if there is something beside it, or a namespace to read instead. A resource that is optional may be missing.
type origin struct {
	objects.Reader
	strict, optional, besides bool
	narrower                  *command.Common
}

// output returns the objects that a program prints, while it prints them, and why it failed.
func (r origin) output(program string, args []string) iter.Seq[objects.Object] {
	return func(yield func(objects.Object) bool) {
		name := program + " " + strings.Join(args, " ")
		if args[0] == "get" { // whose resources would fill a line
			name = strings.TrimSpace(program + " get " + strings.Join(args[3:], " "))
		}
		fail := func(text string) { yield(objects.Unread(name, text)) }
		running, complaint := exec.Command(program, args...), &limited{}
		running.Stderr = complaint
		stdout, err := running.StdoutPipe()
		if err == nil {
			err = running.Start()
		}
		if err != nil {
			fail(err.Error())
			return
		}
		some := false
		for o := range r.File(name, stdout) {
			some = some || o.Kind != ""
			if !yield(o) {
				_ = running.Process.Kill()
				_ = running.Wait()
				return
			}
		}
		if err := running.Wait(); err != nil {
			text := toThePoint(complaint.String())
			if exit := (*exec.ExitError)(nil); text == "" || !errors.As(err, &exit) {
				text = err.Error()
			}
			resources := forbidden(text)
			switch {
			case r.optional && strings.Contains(text, "the server doesn't have a resource type"):
			case resources == nil:
				fail(text)
			case some || r.optional || r.besides || len(resources) <= strings.Count(args[1], ","):
				yield(objects.LeftOut(name, "you may not list "+strings.Join(resources, ", ")+", which are left out", r.strict))
			case r.narrower != nil:
				r.instead(name, args, yield)
			default:
				fail("you may not list " + strings.Join(resources, ", "))
			}
		}
	}
}

// instead yields the objects of one namespace, because those of all may not be listed.
func (r origin) instead(name string, args []string, yield func(objects.Object) bool) {
	if !yield(objects.LeftOut(name, "you may not list all namespaces, so that only one is read", r.strict)) {
		return
	}
	origin{Reader: r.Reader, strict: r.strict}.output("kubectl", arguments(r.narrower, strings.Split(args[1], ",")))(yield)
}

// notAllowed matches what kubectl says of objects that the user may not list.
var notAllowed = regexp.MustCompile(`^Error from server \(Forbidden\): .* cannot list resource "([^"]+)"`)

// forbidden returns the resources that the user may not list, nil if a line of the complaint says something else.
func forbidden(complaint string) (resources []string) {
	for line := range strings.Lines(complaint) {
		match := notAllowed.FindStringSubmatch(line)
		if match == nil {
			return nil
		}
		resources = append(resources, match[1])
	}
	return resources
}

// CurrentNamespace returns the namespace of the context of kubectl, "" if it has none.
func CurrentNamespace(c *command.Common) string {
	text, _ := Kubectl(c, "config", "view", "--minify", "--output=jsonpath={..namespace}")
	if name := strings.TrimSpace(string(text)); len(validation.IsDNS1123Label(name)) == 0 {
		return name
	}
	return ""
}

// Kubectl runs kubectl with arguments, which are never parsed by a shell, and returns what it prints, or why it failed.
func Kubectl(c *command.Common, args ...string) ([]byte, error) {
	kubectl, complaint := exec.Command("kubectl", slices.Concat(args, c.Kubectl)...), &limited{}
	kubectl.Stderr = complaint
	text, err := kubectl.Output()
	if said := toThePoint(complaint.String()); err != nil && said != "" {
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
	return append(args, c.Kubectl...)
}

// limited keeps the beginning of what is written. It does not embed the buffer, whose ReadFrom knows no bound.
type limited struct{ kept bytes.Buffer }

const (
	mostKept      = 64 << 10 // the complaint itself is at the end of what is logged
	mostComplaint = 4 << 10
)

func (l *limited) Write(text []byte) (int, error) {
	l.kept.Write(text[:min(len(text), mostKept-l.kept.Len())])
	return len(text), nil
}

func (l *limited) String() string { return l.kept.String() }

// within leaves out the objects of other namespaces than that of -n, and what is wrong with them, and says so.
func within(c *command.Common, all iter.Seq[objects.Object]) iter.Seq[objects.Object] {
	if c.Namespace == "" {
		return all
	}
	return func(yield func(objects.Object) bool) {
		others := map[string]int{}
		for o := range all {
			namespace, name := o.Identity.Namespace, o.Identity.Name
			if typed, isTyped := o.Typed.(metav1.Object); isTyped {
				namespace, name = typed.GetNamespace(), typed.GetName()
			}
			isShared := c.Shared != nil && c.Shared(o.Kind, name)
			if namespace != "" && namespace != c.Namespace && !isShared {
				others[namespace]++
			} else if !yield(o) {
				return
			}
		}
		if len(others) > 0 {
			names := slices.Sorted(maps.Keys(others))
			c.Say("-n " + c.Namespace + " leaves out the objects of " + wording.Printable(wording.Tally(names)))
		}
	}
}

var (
	// logLine matches what client-go logs, such as each of five attempts to reach a server, and logHead when and where.
	logLine = regexp.MustCompile(`(?m)^[IWEF]\d{4} \d\d:\d\d:.*\n?`)
	logHead = regexp.MustCompile(`(?m)^[IWEF]\d{4} \d\d:\d\d:\S+ +\d+ \S+\] ("command failed" err=)?`)
	// deprecation matches a warning of kustomize.
	deprecation = regexp.MustCompile(`(?m)^# Warning: .*\n?`)
)

// toThePoint returns the beginning of a complaint of a program without the log of the way to it, or else of what is logged.
func toThePoint(complaint string) string {
	complaint = deprecation.ReplaceAllString(complaint, "")
	text := strings.TrimSpace(logLine.ReplaceAllString(complaint, ""))
	if text == "" {
		text = strings.TrimSpace(logHead.ReplaceAllString(complaint, ""))
	}
	return text[:min(len(text), mostComplaint)]
}

// unreachable matches what kubectl says if it does not reach the cluster, whatever it is asked.
var unreachable = regexp.MustCompile(`^(The connection to the server |Unable to connect to the server|` +
	`error: (You must be logged in to the server|context "|stat |error loading config file))`)
