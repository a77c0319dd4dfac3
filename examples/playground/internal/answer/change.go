package answer

import (
	"errors"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/playground/internal/play"
	"github.com/kubemath/kubemath/quota/admit"
)

// Overview is a change and what has become of it so far.
type Overview struct {
	// Titles are the objects of the change. Of more than Many, only those that are refused or wait are there.
	Titles []Numbered `json:"titles"`
	Steps  int        `json:"steps"`  // how many objects there are
	Played int        `json:"played"` // how many of them are applied: the others are not computed yet
	// Refused is the step of the first refusal, 0 if there is none so far.
	Refused  int            `json:"refused"`
	Outcomes map[string]int `json:"outcomes"` // how many of each
	Summary  string         `json:"summary"`  // of the whole change, once it is computed
	Objects  int            `json:"objects"`  // of the cluster
	Problems []Problem      `json:"problems"` // of the change
	Cluster  []Problem      `json:"cluster"`  // of the cluster
	Ignored  int            `json:"ignored"`  // objects of the change whose kinds are not considered
}

// Numbered is an object of the change.
type Numbered struct {
	play.Title
	Step int `json:"step"`
	Line int `json:"line"` // 0 if it is unknown
}

// Many is the number of objects of a change above which the overview has a summary only.
const Many = 200

// most is how many titles of a large change are in the overview.
const most = 200

// Change answers about a change: one text after the other, as somebody writes it. Its zero value is ready to use.
type Change struct {
	change, cluster documents
	play            play.Play
	in              comparison.Input
	problems        []Problem // of the change
	ofCluster       []Problem
	text            string
}

// SetCluster sets the manifests of the cluster, which take effect with the next change.
func (c *Change) SetCluster(text string) {
	c.cluster.set(text)
	c.in.Cluster, c.ofCluster = c.cluster.list()
	c.in.Cluster.Problems = nil
}

// Set sets the manifests of the change, and the release of the cluster; if that is empty, that of its newest kubelet. An
// error says what is wrong with the cluster.
func (c *Change) Set(text, release string) error {
	c.text = text
	c.change.set(text)
	c.in.Change, c.problems = c.change.list()
	if c.in.Old.Objects == nil {
		c.in.Old = inventory.List{Home: "default"}
	}
	if err := c.play.Set(c.in, kubernetesOf(release, c.in.Cluster.Kubelets())); err != nil {
		return errors.New("the cluster cannot be as its manifests say: " + err.Error())
	}
	return nil
}

// IsLarge reports whether the change has more than Many objects.
func (c *Change) IsLarge() bool { return c.play.Len() > Many }

// Continue plays the change until a time has passed, and reports whether there is more to play. Call it again.
func (c *Change) Continue(d time.Duration) (more bool) {
	until := time.Now().Add(d)
	for more = c.play.Next(); more && time.Now().Before(until); {
		more = c.play.Next()
	}
	return more
}

// Overview returns what is known so far.
func (c *Change) Overview() Overview {
	o := Overview{Steps: c.play.Len(), Played: c.play.Played(), Outcomes: map[string]int{}, Objects: len(c.in.Cluster.Objects), Problems: slices.Clone(c.problems), Cluster: c.ofCluster}
	lines, titles := c.lines(), c.play.Titles()
	for i, t := range titles {
		o.Outcomes[string(t.Outcome)]++
		if t.Outcome == play.Refused {
			if o.Refused == 0 {
				o.Refused = i + 1
			}
			o.Problems = append(o.Problems, Problem{Level: Rejected, Line: lines[i], Object: t.Object, Text: c.play.Refusal(i + 1)})
		}
		if !c.IsLarge() || len(o.Titles) < most && (t.Outcome == play.Refused || t.Outcome == play.Waits) {
			o.Titles = append(o.Titles, Numbered{t, i + 1, lines[i]})
		}
	}
	for i := len(titles); i < o.Steps && !c.IsLarge(); i++ {
		o.Titles = append(o.Titles, Numbered{play.Title{Object: c.play.Named(i)}, i + 1, lines[i]})
	}
	if o.Titles == nil {
		o.Titles = []Numbered{}
	}
	for _, n := range c.in.Change.Skipped {
		o.Ignored += n
	}
	slices.SortStableFunc(o.Problems, func(a, b Problem) int { return levelOf(a) - levelOf(b) })
	if o.Played == o.Steps && o.Steps > 0 {
		o.Summary = c.play.Summary()
	}
	return o
}

func levelOf(p Problem) int { return slices.Index([]Level{Error, Rejected, Warning}, p.Level) }

// lines returns the line of each object of the change.
func (c *Change) lines() (lines []int) {
	begins := map[any]int{}
	for i := range c.change.all {
		for _, o := range c.change.all[i].objects {
			begins[o.Typed] = o.Line
			if o.Line > 0 {
				begins[o.Typed] += c.change.all[i].line - 1
			}
		}
	}
	for _, o := range c.in.Change.Objects {
		lines = append(lines, begins[o])
	}
	return lines
}

// Step returns a step of the play, numbered as by play.Play.Step. All objects before it must have been played.
func (c *Change) Step(n int) (Step, error) {
	s, err := c.step(n)
	if err != nil {
		return Step{}, err
	}
	return stepOf(&s), nil
}

func (c *Change) step(n int) (s play.Step, err error) {
	if n < 0 || min(n, c.play.Len()) > c.play.Played() || n > c.play.Len()+1 {
		return s, errors.New("this step is not computed yet")
	}
	return c.play.Step(n), nil
}

// Fixed returns the text of the change in which the amounts of the object of a step are those with which all of its pods are
// admitted.
func (c *Change) Fixed(step int) (string, error) {
	s, err := c.step(step)
	if err != nil || step < 1 || len(s.Objects) == 0 || len(s.Objects[0].Fix) == 0 {
		return "", errors.Join(err, errors.New("there is nothing to set"))
	}
	object := c.in.Change.Objects[step-1]
	at := c.change.of(object)
	prefix, changed := []string{}, at.text
	for i := range at.objects {
		if at.objects[i].Typed == any(object) {
			prefix = stepsOf(at.objects[i].Source.Item)
		}
	}
	for _, change := range s.Objects[0].Fix {
		path := slices.Concat(prefix, stepsOf(change.Ref.Path(specPath(object)).String()), []string{"resources", change.List.String() + "s", string(change.Resource)})
		changed = setAmount(changed, path, change.To)
	}
	if !slices.ContainsFunc(decoded(changed), func(o objects.Object) bool {
		other, is := o.Typed.(admit.APIObject)
		isNamed := is && (other.GetName() == object.GetName() || isUnnamed(o) && other.GetGenerateName() == object.GetGenerateName())
		return isNamed && isFixed(other, object, s.Objects[0].Fix)
	}) {
		return "", errors.New("these amounts cannot be written into this text: please set them yourself")
	}
	text := ""
	for i := range c.change.all {
		if part := &c.change.all[i]; part == at {
			text += changed
		} else {
			text += part.text
		}
	}
	return text, nil
}

// isFixed reports whether an object is another one with a fix, as far as the specs of their pods go.
func isFixed(object, original admit.APIObject, fix []comparison.Change) bool {
	fixed, _ := original.DeepCopyObject().(admit.APIObject)
	want, got := inventory.PodSpec(fixed), inventory.PodSpec(object)
	if want == nil || got == nil {
		return false
	}
	for _, c := range fix {
		to := (*resource.Quantity)(nil)
		if c.To != "" {
			amount, err := resource.ParseQuantity(c.To)
			if err != nil {
				return false
			}
			to = &amount
		}
		if computeresources.ApplyChanges(want, []computeresources.Change{{Ref: c.Ref, List: c.List, Resource: c.Resource,
			To: to}}) != nil {
			return false
		}
	}
	return equality.Semantic.DeepEqual(want, got)
}

// specPath returns the path of the spec of the pods of an object.
func specPath(object admit.APIObject) *field.Path {
	switch object.(type) {
	case *corev1.Pod:
		return field.NewPath("spec")
	case *batchv1.CronJob:
		return field.NewPath("spec", "jobTemplate", "spec", "template", "spec")
	}
	return field.NewPath("spec", "template", "spec")
}
