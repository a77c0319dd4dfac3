package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

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
	Shared     func(kind, name string) bool // what -n reads of other namespaces as well; nil for nothing
	All        bool                         // all namespaces of the cluster are read
	Cluster    bool                         // without Files, the cluster is read by kubectl
	Kubectl    []string                     // flags for kubectl: which cluster, and as whom
	Measured   bool                         // kubectl is asked what is used, even if Files are read
	Format     string                       // the first of the formats, unless -o is given
	Rows       Rows                         // which objects the answer shows, and how
	Strict     bool
	Applies    string   // what is applied to the cluster, so that both are read; "" if nothing is
	On         []string // files of that cluster
	Narrower   *Common  // what to read instead of all namespaces, if these may not be listed; nil for nothing
	Kubernetes computeresources.Kubernetes

	formats []string
	flags   *flag.FlagSet
	stdout  io.Writer
}

// NewFlags returns the flags of a subcommand with the common ones, which it reads into c. The first format is the
// default. The usage is the summary, the flags, and the exit codes with the reasons for 1 and 2.
func NewFlags(c *Common, name, summary, unread, rejected string, stdout, stderr io.Writer,
	formats ...string) *flag.FlagSet {
	flags := flag.NewFlagSet("kubemath", flag.ContinueOnError)
	flags.SetOutput(stderr)
	c.flags, c.stdout, c.Format, c.formats = flags, stdout, formats[0], formats
	flags.Usage = func() {
		fmt.Fprintf(stderr, "%s\n\nusage: kubemath %s [flags]\n\n%s", summary, name, commonUsage)
		if len(formats) > 1 {
			fmt.Fprintf(stderr, "  %-*s  %s\n", labelWidth, "-o FORMAT", strings.Join(formats, ", "))
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
	for _, name := range passed {
		flags.Func(name, "", func(value string) error {
			c.Kubectl = append(c.Kubectl, "--"+name+"="+value)
			return nil
		})
	}
	if len(formats) > 1 {
		flags.Func("o", "", func(format string) error {
			if !slices.Contains(formats, format) {
				return fmt.Errorf("none of %s%s", strings.Join(formats, ", "), wording.DidYouMean(format, formats))
			}
			c.Format = format
			return nil
		})
	}
	c.Rows.addTo(flags)
	flags.BoolVar(&c.Strict, "strict", false, "")
	flags.Func("kubernetes", "", func(version string) (err error) {
		c.Kubernetes.Release, err = computeresources.ParseRelease(version)
		return err
	})
	flags.Bool("version", false, "")
	return flags
}

// WholeCluster returns the flags of a subcommand that needs the pods of all namespaces, because these are on nodes.
func (c *Common) WholeCluster() *Common {
	of := *c
	of.All, of.Namespace, of.Narrower = of.Cluster, "", c
	if c.All {
		of.Narrower = &Common{Kubectl: c.Kubectl}
	}
	return &of
}

// Apply adds -on, for a subcommand that applies its files to a cluster, and says what they have.
func (c *Common) Apply(what string) {
	c.Applies = what
	c.flags.Func("on", "the cluster: a `FILE|DIR` of kubectl get -A -o json", Append(&c.On))
}

// Say writes a line to where errors in arguments are written.
func (c *Common) Say(text string) { fmt.Fprintf(c.flags.Output(), "kubemath: %s\n", text) }

// Parse parses the arguments of a subcommand: see the function Parse.
func (c *Common) Parse(args []string, check func() error) error {
	for short, long := range longNames {
		if f := c.flags.Lookup(short); f != nil {
			c.flags.Var(f.Value, long, "")
		}
	}
	if slices.Equal(args, []string{ListFlags}) {
		c.flags.VisitAll(func(f *flag.Flag) { fmt.Fprintln(c.stdout, dashed(f.Name)) })
		return flag.ErrHelp
	}
	return Parse(c.flags, args, c.stdout, func() error {
		switch {
		case len(c.Files) > 0 && c.All && c.Applies == "":
			return errors.New("-A reads the cluster, and cannot be given with -f")
		case c.All && c.Namespace != "":
			return errors.New("-A and -n cannot be given together")
		}
		if err := c.completeRows(); err != nil {
			return err
		}
		c.Cluster = len(c.Files) == 0 && (c.Cluster || c.All || c.Namespace != "" || len(c.Kubectl) > 0)
		if c.Applies != "" {
			if len(c.Files) == 0 && (c.Cluster || len(c.On) > 0) {
				return errors.New("-f is missing: " + c.Applies)
			}
			c.Cluster = len(c.Files) > 0 && len(c.On) == 0
		}
		if check != nil {
			if err := check(); err != nil {
				return err
			}
		}
		if !c.Cluster && !c.Measured && (c.All || len(c.Kubectl) > 0) {
			return errors.New("files are read instead of a cluster: -A, -kubeconfig, -context, -as and -request-timeout cannot be given")
		}
		if len(c.Files) == 0 && !c.Cluster {
			c.Say("these are samples: -f FILE reads manifests, and -cluster a cluster")
		}
		return nil
	})
}

// passed are the flags that kubectl gets.
var passed = []string{"kubeconfig", "context", "as", "request-timeout"}

// longNames are the names that kubectl has for flags, too.
var longNames = map[string]string{"f": "filename", "n": "namespace", "A": "all-namespaces", "o": "output", "l": "selector"}

// ListFlags is the argument for which a subcommand writes the names of its flags, for the completion of a shell.
const ListFlags = "-list-flags"

const commonUsage = `  -f FILE|DIR     manifests, - for stdin; a chart is rendered unless -no-render
  -n NAMESPACE    read this one only; it is that of objects without one
  -A              read all namespaces of the cluster (-cluster: the current one)
  -l, -field-selector, -sort-by COLUMN, -no-headers  are those of kubectl get
  -kubeconfig, -context, -as, -request-timeout  are those of kubectl
  -strict         make warnings errors: unknown fields, a memory of 512m, ...
  -kubernetes V   1.33 to 1.38; else the server's, the newest kubelet's, or 1.37
`

// dashed returns the name of a flag as it is written.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

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

// KubernetesOf returns the cluster that the answers are for: the release of -kubernetes; without it, that of the version of
// the API server; without a server, that of the newest of the kubelets, whose versions are given; else the default.
// A release that is a guess, because a kubelet may be older than its API server, is said, and one that is not known.
func (c *Common) KubernetesOf(server string, kubelets []string, say func(string)) computeresources.Kubernetes {
	if c.Kubernetes.Release != "" {
		return c.Kubernetes
	}
	version, is := newest([]string{server}), "the version of the API server"
	guessed := version == ""
	if guessed {
		version, is = newest(kubelets), "the newest version of a kubelet, and the API server may be newer"
	}
	if version == "" {
		return c.Kubernetes
	}
	if _, err := computeresources.ParseRelease(version); err != nil {
		say(fmt.Sprintf("the answers are those of the release next to %s, which is %s: %v", version, is, err))
	} else if guessed {
		say(fmt.Sprintf("the answers are those of Kubernetes %s, as a guess: it is %s (-kubernetes says it)", version, is))
	}
	return computeresources.Kubernetes{Release: version}
}

// newest returns the minor release of the newest of some versions, "" if none of the texts is a version.
func newest(texts []string) string {
	var most *version.Version
	for _, text := range texts {
		v, err := version.ParseGeneric(text)
		if err == nil && (most == nil || most.LessThan(v)) {
			most = v
		}
	}
	if most == nil {
		return ""
	}
	return fmt.Sprintf("%d.%d", most.Major(), most.Minor())
}
