// Package diff is the subcommand diff: what happens if manifests are applied to a cluster.
//
// page.go says in sections what package comparison finds, and writes them.
package diff

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/annotation"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/kubemath/internal/schedulerconfig"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	old []string
	all bool
	whatif.Options
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "diff", "What happens if the manifests of -f are applied to a cluster.",
		"some input could not be read, or there was none", "an object or pod is refused, or a pod of them waits or preempts others", stdout,
		stderr,
		"text", "wide", "json", "yaml", "csv", "name", "markdown", "github", "sarif")
	flags.Func("old", "the `FILE|DIR` before: what -f lacks of it is deleted", command.Append(&o.old))
	flags.BoolVar(&o.AtOnce, "at-once", false, "replace all pods of a Deployment at once")
	flags.BoolVar(&o.RunCronJobs, "run-cronjobs", false, "run one Job of each CronJob that is new or changed")
	flags.BoolVar(&o.all, "all", false, "all objects, quotas and nodes")
	flags.Func("scheduler", "a KubeSchedulerConfiguration: a `FILE`", schedulerconfig.Into(&o.Options))
	o.Apply("what is applied")
	err = o.Parse(args, func() error {
		o.Cluster = o.Cluster && len(o.old) == 0 // that of kubectl
		if len(o.Files) == 0 && len(o.old) > 0 {
			return errors.New("-f is missing: " + o.Applies)
		}
		return nil
	})
	return o, err
}

// read reads the manifests, what was applied before, and the cluster: what -on names; without that, what -old leads
// to by itself; without both, that of kubectl. Without manifests, it reads the samples.
func read(o *options, stdin io.Reader) *comparison.Input {
	change, cluster := origin.Change(&o.Common, stdin, comparison.Samples)
	in := &comparison.Input{Change: *change, Cluster: *cluster}
	in.Old.Selects, in.Old.Home = o.Rows.Selects, change.Home
	r := objects.Reader{Kinds: inventory.Kinds, Stdin: stdin, Check: objects.Checked(o.Strict), Matters: true}
	in.Old.Read(origin.Files(r, &o.Common, slices.DeleteFunc(slices.Clone(o.old), o.new)))
	return in
}

// new reports whether there is nothing at the path of -old: all is new.
func (o *options) new(name string) bool {
	info, err := os.Stat(name)
	if name == "-" || err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return false // the size of a pipe says nothing
	}
	files, _ := os.ReadDir(name)
	is := errors.Is(err, fs.ErrNotExist) || err == nil && (info.IsDir() && len(files) == 0 || !info.IsDir() && info.Size() == 0)
	if is {
		o.Say("-old " + name + ": nothing is there, so all is new")
	}
	return is
}

func answer(o options, s *command.Session) {
	in := read(&o, s.Stdin)
	if !o.Strict {
		inventory.Known(&in.Old, &in.Change, slices.Concat(o.old, o.Files)...)
	}
	inventory.Complain(s, &in.Change, &in.Old, &in.Cluster)
	others := len(in.Change.Skipped) + len(inventory.NotComputed(&in.Change))
	if len(in.Change.Objects)+len(in.Change.Hooks)+len(in.Old.Objects)+others == 0 {
		s.Say(command.Unread, "there is nothing to apply")
		return
	}
	if in.Cluster.IsLost() {
		s.Exit(command.Unread)
		return
	}
	if o.Cluster && len(in.Cluster.Problems) == 0 {
		o.Admission = inventory.Admission(nil, true)
	}
	var guesses []string
	o.Admission.Kubernetes = origin.Kubernetes(&o.Common, in.Cluster.Kubelets(), func(guess string) { guesses = append(guesses, guess) })
	r, err := comparison.ReportOf(in, comparison.Options{Options: o.Options, OnCluster: len(o.On) > 0})
	if err != nil {
		s.Say(command.Unread, "%v", err)
		return
	}
	r.Notes = append(r.Notes, guesses...)
	if r.Fails() {
		s.Exit(command.Rejected)
	}
	if o.Format == "markdown" {
		s.WriteString(markdown(pageOf(r, o.all)))
		return
	}
	if annotation.Write(s, o.Format, annotations(in, r)) {
		return
	}
	s.Answer(&o.Common, r, func() *listing.List { return rows(r) }, func() { pageOf(r, o.all).write(s.Text) })
}

// annotations returns what is wrong with the change, then the objects that fail, and the pods that are preempted.
func annotations(in *comparison.Input, r *comparison.Report) []annotation.Annotation {
	all := annotation.OfProblems(in.Change.Problems)
	for _, o := range slices.Concat(r.Objects, r.Others) {
		rule := "waiting"
		switch {
		case o.Error != "":
			rule = "refused"
		case o.Missing != "":
			rule = "missing-pods"
		case o.Outdated > o.Kept:
			rule = "stuck"
		}
		if o.Fails() {
			text := strings.Join(append([]string{o.Head()}, o.Notes()...), "\n")
			all = append(all, annotation.At(in.Change.At(o.Kind, o.Namespace, o.Name), rule, o.Kind+" "+wording.Qualified(o.Namespace, o.Name), text))
		}
	}
	for _, line := range comparison.Lost(slices.DeleteFunc(slices.Clone(r.Pods), func(p comparison.Pod) bool { return !p.Preempted })) {
		all = append(all, annotation.Annotation{Rule: "preempted", Text: line})
	}
	return all
}

func rows(r *comparison.Report) *listing.List {
	l := &listing.List{Columns: []string{"NAMESPACE", "KIND", "NAME", "ACTION", "WANTED", "CREATED", "PLACED", "VERDICT", "REASON"}}
	for _, o := range slices.Concat(r.Objects, r.Others) {
		verdict, reason := "ok", cmp.Or(o.Error, o.Missing)
		if o.Fails() {
			verdict = "fails"
		}
		if reason == "" && len(o.Waiting) > 0 {
			reason = o.Waiting[0].Message
		}
		l.Add(listing.NameOf(o.Kind, o.Name), listing.Text(o.Namespace), o.Kind, o.Name, strings.ToLower(string(o.Action)), o.Wanted, o.Created,
			o.Placed, verdict, listing.Text(reason))
	}
	return l
}
