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
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/terminal"
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
		if _, err := fmt.Fprintln(stdout, versionOf(flags.Name(), info)); err != nil {
			return err
		}
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

// Subcommand is one of the questions that the program answers.
type Subcommand struct {
	Name, Summary string
	Run           Program
}

// Common are the flags that all subcommands have.
type Common struct {
	Files []string
	// NoRender reads directories of charts and kustomizations as they are.
	NoRender bool
	// Namespace is the one to read, and that of objects without one; empty if it is not given.
	Namespace  string
	All        bool   // all namespaces of the cluster are read
	Cluster    bool   // without Files, the cluster is read by kubectl
	Context    string // of kubectl
	Format     string // the first of the formats, unless -o is given
	Strict     bool
	Kubernetes computeresources.Kubernetes

	formats string
	flags   *flag.FlagSet
	stdout  io.Writer
}

// NewFlags returns the flags of a subcommand with the common ones, which it reads into c. The first format is the
// default. The usage is the summary, the flags, and the exit codes with the reasons for 1 and 2.
func NewFlags(c *Common, name, summary, unread, rejected string, stdout, stderr io.Writer,
	formats ...string) *flag.FlagSet {
	flags := flag.NewFlagSet("kubemath", flag.ContinueOnError)
	flags.SetOutput(stderr)
	c.flags, c.stdout, c.Format, c.formats = flags, stdout, formats[0], strings.Join(formats, ", ")
	flags.Usage = func() {
		fmt.Fprintf(stderr, "%s\n\nusage: kubemath %s [flags]\n\n%s", summary, name, commonUsage)
		if len(formats) > 1 {
			fmt.Fprintf(stderr, "  %-*s  %s\n", labelWidth, "-o FORMAT", c.formats)
		}
		writeFlags(stderr, flags)
		fmt.Fprint(stderr, ExitCodes(unread, rejected))
	}
	flags.Func("f", "", Append(&c.Files))
	flags.BoolVar(&c.NoRender, "no-render", false, "")
	flags.Func("n", "", func(name string) error {
		if messages := validation.IsDNS1123Label(name); len(messages) > 0 {
			return errors.New(messages[0])
		}
		c.Namespace = name
		return nil
	})
	flags.BoolVar(&c.All, "A", false, "")
	flags.BoolVar(&c.Cluster, "cluster", false, "")
	flags.StringVar(&c.Context, "context", "", "")
	if len(formats) > 1 {
		flags.Func("o", "", func(format string) error {
			if !slices.Contains(formats, format) {
				return fmt.Errorf("none of %s", c.formats)
			}
			c.Format = format
			return nil
		})
	}
	flags.BoolVar(&c.Strict, "strict", false, "")
	flags.Func("kubernetes", "", func(version string) (err error) {
		c.Kubernetes.Release, err = computeresources.ParseRelease(version)
		return err
	})
	flags.Bool("version", false, "")
	return flags
}

// Say writes a line to where errors in arguments are written.
func (c *Common) Say(text string) { fmt.Fprintf(c.flags.Output(), "kubemath: %s\n", text) }

// Parse parses the arguments of a subcommand: see the function Parse.
func (c *Common) Parse(args []string, check func() error) error {
	return Parse(c.flags, args, c.stdout, func() error {
		switch {
		case len(c.Files) > 0 && c.All:
			return errors.New("-A reads the cluster, and cannot be given with -f")
		case c.All && c.Namespace != "":
			return errors.New("-A and -n cannot be given together")
		}
		c.Cluster = len(c.Files) == 0 && (c.Cluster || c.All || c.Namespace != "" || c.Context != "")
		if check != nil {
			if err := check(); err != nil {
				return err
			}
		}
		if len(c.Files) == 0 && !c.Cluster {
			c.Say("these are samples: -f FILE reads manifests, and -cluster a cluster")
		}
		return nil
	})
}

const commonUsage = `  -f FILE|DIR     manifests, - for stdin; a chart is rendered unless -no-render
  -n NAMESPACE    read this one only; it is that of objects without one
  -A              read all namespaces of the cluster (-cluster: the current one)
  -context NAME   of kubectl, which reads the cluster
  -strict         make warnings errors: unknown fields, a memory of 512m, ...
  -kubernetes V   1.33 to 1.38; else the server's, the newest kubelet's, or 1.37
`

// writeFlags writes the flags of the subcommand itself, with labels that are as wide as those of the common ones.
func writeFlags(to io.Writer, flags *flag.FlagSet) {
	text := terminal.Text{Columns: 80}
	flags.VisitAll(func(f *flag.Flag) {
		name, usage := flag.UnquoteUsage(f)
		if usage == "" {
			return
		}
		label := fmt.Sprintf("  %-*s  ", labelWidth, strings.TrimSpace("-"+f.Name+" "+name))
		text.WrapIndented(label, strings.Repeat(" ", labelWidth+4), usage)
	})
	io.WriteString(to, text.String())
}

const labelWidth = 14
