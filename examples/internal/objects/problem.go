package objects

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Source is where a document, or an item of one, is in the input.
type Source struct {
	File     string `json:"file"`           // as given; "-" is the standard input
	Document int    `json:"document"`       // counts from 1; 0 for the file itself
	Item     string `json:"item,omitempty"` // in a List: items[2]
}

// String returns the place in words: "web.yaml, document 2, items[0]".
func (s Source) String() string {
	return joined(", ", s.File, fmt.Sprintf("document %d", s.Document), s.Item)
}

// Place is where an object is in the input.
type Place struct {
	Source Source
	Named  string // the kind, the namespace and the name of the object, as far as they are known
	Line   int    // where the object begins in the file; 0 if unknown
	Turn   int    // of the object among all objects of the input
}

// String returns the place as problems have it: "web.yaml: document 2: items[0]".
func (p Place) String() string {
	return wording.Printable(joined(": ", p.Source.File, p.document(0), p.Source.Item))
}

func (p Place) document(line int) string {
	switch {
	case p.Source.Document == 0:
		return ""
	case line == 0:
		return fmt.Sprintf("document %d", p.Source.Document)
	}
	return fmt.Sprintf("document %d, line %d", p.Source.Document, line)
}

func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), separator)
}

// Problem is a line for the user: why a file, a document or an object is not reported, or what is doubtful.
type Problem struct {
	Place
	Fault
	Grade Grade
	// Strict is set if an Uncomputed object is to fail.
	Strict bool
	// By is the file of the later object that counts instead of it, if any.
	By string
}

// Fault is an error in a field of an object, or in the object if the field is empty.
type Fault struct {
	Field, Text string
	Line        int // of the field in the file; 0 if unknown
}

// Grade is the severity of a problem.
type Grade int

const (
	Unreadable Grade = iota // it could not be read
	Invalid                 // it can be read, but the API server would reject it
	Skipped                 // it is not a kind to report, which is not an error
	Warning                 // it was read, but is probably a mistake
	Uncomputed              // it matters, but nothing is computed from it
	Failed                  // the program itself failed at it
)

// Problems returns a problem for each fault.
func Problems(at Place, grade Grade, faults ...Fault) (problems []Problem) {
	for _, f := range faults {
		f.Text = wording.OneLine(f.Text)
		problems = append(problems, Problem{Place: at, Fault: f, Grade: grade})
	}
	return problems
}

// Unread returns the problem of a file that cannot be read.
func Unread(file, text string) Object {
	at := Place{Source: Source{File: file}}
	return Object{Place: at, Problems: Problems(at, Unreadable, Fault{Text: text})}
}

// LeftOut returns the problem of a file that does not have all objects that matter. It is to fail if strict.
func LeftOut(file, text string, strict bool) Object {
	at := Place{Source: Source{File: file}}
	return Object{Place: at, Problems: []Problem{{Place: at, Fault: Fault{Text: wording.OneLine(text)}, Grade: Uncomputed, Strict: strict}}}
}

// Replaced returns the problem of an object of which a later one has the kind and name, and counts.
func Replaced(at, by Place) Problem {
	text := fmt.Sprintf("replaced by the one of %v, which has the same name", by.Source)
	return Problem{Place: at, Fault: Fault{Text: wording.OneLine(text)}, Grade: Skipped, By: by.Source.File}
}

// mostAlike is how many problems of one sort are told, each on its own line.
const mostAlike = 10

// alike are problems of which a directory may have thousands.
type alike struct {
	is        func(p *Problem) bool
	noun, why string // of those that are not told
	told      int
	left      int64 // how many are not told
}

// Condensed returns the problems with one for all objects of a file that are replaced by those of another one. Of more than
// mostAlike that are replaced, or that are no objects, the others are counted: a directory may have thousands.
func Condensed(all []Problem) (problems []Problem) {
	type pair struct{ file, by string }
	replaced := map[pair]int64{}
	for _, p := range all {
		replaced[pair{p.Source.File, p.By}]++
	}
	sorts := []*alike{
		{is: func(p *Problem) bool { return p.By != "" }, noun: "other object", why: "replaced by those of the same names"},
		{is: func(p *Problem) bool { return p.Grade == Skipped && p.Text == notAnObject }, noun: "other document", why: notAnObject},
	}
	add := func(p Problem, n int64) {
		for _, of := range sorts {
			switch {
			case !of.is(&p):
			case of.told == mostAlike:
				of.left += n
				return
			default:
				of.told++
			}
		}
		problems = append(problems, p)
	}
	for _, p := range all {
		of := pair{p.Source.File, p.By}
		n := replaced[of]
		switch {
		case p.By == "" || p.By == p.Source.File || n == 1:
			add(p, 1)
		case n > 1:
			p.Place, p.Text = Place{Source: Source{File: of.file}}, wording.Count(n, "object")+" replaced by those of "+of.by+", which have the same names"
			add(p, n)
			replaced[of] = 0 // is said
		}
	}
	for _, of := range sorts {
		if of.left > 0 {
			problems = append(problems, Problem{Grade: Skipped, Fault: Fault{Text: wording.Count(of.left, of.noun) + ": " + of.why}})
		}
	}
	return problems
}

// Guarded calls a function that handles the object at a place, and returns a problem if it panics.
func Guarded(at Place, handle func()) []Problem {
	if err := command.Recovered(handle); err != nil {
		return Problems(at, Failed, Fault{Text: err.Error()})
	}
	return nil
}

// Begins returns the line of the field, or else of the object; 0 if neither can be told.
func (p Problem) Begins() int { return cmp.Or(p.Fault.Line, p.Place.Line) }

// Lacks reports whether there may be objects that were not read: input that could not be, or what is left out of it.
func (p Problem) Lacks() bool {
	return p.Grade == Unreadable || p.Grade == Uncomputed && p.Source.Document == 0
}

// Code returns the exit code for a problem.
func (p Problem) Code() int {
	switch p.Grade {
	case Skipped, Warning:
		return command.OK
	case Uncomputed:
		if !p.Strict {
			return command.OK
		}
		return command.Rejected
	case Invalid:
		return command.Rejected
	case Failed:
		return command.Failed
	case Unreadable:
	}
	return command.Unread
}

// String returns the problem on one line, from the file down to the field.
func (p Problem) String() string {
	printable := wording.Printable
	message := p.Message()
	if p.Named == p.Source.File {
		message = p.what()
	}
	return joined(": ", printable(p.Source.File), p.document(p.Fault.Line), printable(p.Source.Item), message)
}

// Message returns the problem without its place.
func (p Problem) Message() string { return joined(": ", wording.Printable(p.Named), p.what()) }

// what returns the problem without the object.
func (p Problem) what() string {
	word := map[Grade]string{Warning: "warning", Skipped: "skipped"}[p.Grade]
	field := wording.Printable(p.Field)
	if p.Grade == Skipped {
		word, field = field, word
	}
	return joined(": ", word, field, wording.Printable(p.Text))
}

// Why an object of another kind matters, although nothing is computed from it.
const (
	Limits  = "it limits what others may use, which is not computed"
	HasPods = "it has pods, which are not computed"
)

// matters are kinds without pod templates, by API group.
var matters = map[string]map[string]string{
	"quota.openshift.io":     {"ClusterResourceQuota": Limits, "AppliedClusterResourceQuota": Limits},
	"capsule.clastix.io":     {"GlobalResourceQuota": Limits, "ResourcePool": Limits, "Tenant": Limits},
	"hnc.x-k8s.io":           {"HierarchicalResourceQuota": Limits},
	"scheduling.volcano.sh":  {"Queue": Limits},
	"scheduling.sigs.k8s.io": {"ElasticQuota": Limits},
	"kueue.x-k8s.io":         {"ClusterQueue": Limits, "LocalQueue": Limits, "Cohort": Limits, "Workload": Limits},
	"sparkoperator.k8s.io":   {"SparkApplication": HasPods, "ScheduledSparkApplication": HasPods},
	"argoproj.io":            {"Workflow": HasPods, "CronWorkflow": HasPods},
	"tekton.dev":             {"TaskRun": HasPods, "PipelineRun": HasPods},
	"kubevirt.io":            {"VirtualMachine": HasPods, "VirtualMachineInstance": HasPods},
}

// whyItMatters returns why an object of a kind that is not read matters, "" if it does not.
func (n names) whyItMatters(raw []byte) string {
	group, _, _ := strings.Cut(n.apiVersion, "/")
	var object struct{ Spec any }
	if why := matters[group][n.kind]; why != "" || !bytes.Contains(raw, []byte(`"containers"`)) {
		return why
	}
	if json.Unmarshal(raw, &object) == nil && hasTemplate(object.Spec) {
		return HasPods
	}
	return ""
}

// hasTemplate reports whether a value of JSON has the template of a pod: spec.template, spec.tasks[].template and so on.
func hasTemplate(value any) bool {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if hasTemplate(item) {
				return true
			}
		}
	case map[string]any:
		template, _ := v["template"].(map[string]any)
		spec, _ := template["spec"].(map[string]any)
		if containers, _ := spec["containers"].([]any); len(containers) > 0 {
			return true
		}
		for _, field := range v {
			if hasTemplate(field) {
				return true
			}
		}
	}
	return false
}
