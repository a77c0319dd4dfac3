package command

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Rows are which objects an answer shows, and how it lists them. Objects that it does not show count nevertheless. The zero
// value shows all.
type Rows struct {
	Selector  labels.Selector
	Fields    fields.Selector
	SortBy    string // a column
	NoHeaders bool
	// Resources are the names, or parts of them, of the resources that are shown.
	Resources []string
	// Namespaces selects those that are shown; Among returns which these are.
	Namespaces labels.Selector
	// Taints are those of the nodes that are shown, as key, key=value, key:effect or key=value:effect, and * for any; with ! before
	// it, one that they do not have.
	Taints []string
}

func (r *Rows) addTo(flags *flag.FlagSet) {
	flags.Func("l", "", SelectorInto(&r.Selector))
	flags.Func("field-selector", "", func(text string) (err error) {
		r.Fields, err = fields.ParseAndTransformSelector(text, func(field, value string) (string, string, error) {
			if !slices.Contains(selectable, field) {
				return "", "", fmt.Errorf("field label not supported: %s%s", field, wording.DidYouMean(field, selectable))
			}
			return field, value, nil
		})
		return err
	})
	flags.StringVar(&r.SortBy, "sort-by", "", "")
	flags.BoolVar(&r.NoHeaders, "no-headers", false, "")
}

// SelectorInto returns the function of a flag that selects labels.
func SelectorInto(to *labels.Selector) func(string) error {
	return func(text string) (err error) {
		*to, err = labels.Parse(text)
		return err
	}
}

// Narrow adds the flags for some resources, named in parts, and for namespaces. The usage of other flags names them.
func (c *Common) Narrow() {
	c.flags.Func("resources", "", func(names string) error {
		c.Rows.Resources = append(c.Rows.Resources, strings.Split(names, ",")...)
		return nil
	})
	c.flags.Func("namespace-labels", "", SelectorInto(&c.Rows.Namespaces))
}

// ShowsResource reports whether a resource is shown.
func (r *Rows) ShowsResource(name corev1.ResourceName) bool {
	return len(r.Resources) == 0 ||
		slices.ContainsFunc(r.Resources, func(part string) bool { return strings.Contains(string(name), part) })
}

// Among returns a function that reports whether what is in a namespace is shown.
func (r *Rows) Among(namespaces []*corev1.Namespace) (shows func(namespace string) bool) {
	return func(namespace string) bool {
		return r.Namespaces == nil || slices.ContainsFunc(namespaces, func(n *corev1.Namespace) bool {
			return n.Name == namespace && r.Namespaces.Matches(labels.Set(n.Labels))
		})
	}
}

// Selects reports whether the answer shows an object, which has the labels and the fields that are asked for.
func (r *Rows) Selects(o metav1.Object) bool {
	return (r.Selector == nil || r.Selector.Matches(labels.Set(o.GetLabels()))) &&
		(r.Fields == nil || r.Fields.Matches(fieldsOf(o))) && r.selectsTaints(o)
}

// Narrows reports whether only some objects are selected.
func (r *Rows) Narrows() bool { return r.Selector != nil || r.Fields != nil || len(r.Taints) > 0 }

// ShowsNamespace reports whether the answer shows what is in a namespace, of a subcommand that reads WholeCluster. What is in none
// is shown.
func (c *Common) ShowsNamespace(name string) bool {
	return c.Namespace == "" || name == "" || name == c.Namespace
}

// selectsTaints reports whether an object is a node with the taints that are asked for, if there are some.
func (r *Rows) selectsTaints(o metav1.Object) bool {
	node, _ := o.(*corev1.Node)
	return !slices.ContainsFunc(r.Taints, func(text string) bool {
		want, isUnwanted := strings.CutPrefix(text, "!")
		return node == nil || isUnwanted == slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool {
			key, effect := t.Key+"="+t.Value, ":"+string(t.Effect)
			return slices.Contains([]string{"*", t.Key, key, t.Key + effect, key + effect}, want)
		})
	})
}

// selectable are the fields by which kubectl get selects objects of all kinds, pods and nodes.
var selectable = []string{"metadata.name", "metadata.namespace", "spec.nodeName", "spec.restartPolicy", "spec.schedulerName",
	"spec.serviceAccountName", "spec.hostNetwork", "status.phase", "status.podIP", "status.nominatedNodeName", "spec.unschedulable"}

// fieldsOf returns the selectable fields of an object.
//
// Source: ToSelectableFields of k8s.io/kubernetes/pkg/registry/core/pod, NodeToSelectableFields of pkg/registry/core/node.
func fieldsOf(o metav1.Object) fields.Set {
	set := fields.Set{"metadata.name": o.GetName(), "metadata.namespace": o.GetNamespace()}
	switch o := o.(type) {
	case *corev1.Pod:
		set["spec.nodeName"], set["spec.restartPolicy"] = o.Spec.NodeName, string(o.Spec.RestartPolicy)
		set["spec.schedulerName"], set["spec.serviceAccountName"] = o.Spec.SchedulerName, o.Spec.ServiceAccountName
		set["spec.hostNetwork"], set["status.phase"] = strconv.FormatBool(o.Spec.HostNetwork), string(o.Status.Phase)
		set["status.podIP"], set["status.nominatedNodeName"] = o.Status.PodIP, o.Status.NominatedNodeName
	case *corev1.Node:
		set["spec.unschedulable"] = strconv.FormatBool(o.Spec.Unschedulable)
	}
	return set
}

// listed are the formats that list rows.
var listed = []string{"wide", "csv", "name"}

// Lists reports whether the format lists rows.
func (c *Common) Lists() bool { return slices.Contains(listed, c.Format) }

// completeRows lists the rows of text that is to be sorted or without headings, and returns what cannot be listed.
func (c *Common) completeRows() error {
	if c.Rows.SortBy == "" && !c.Rows.NoHeaders || c.Lists() {
		return nil
	}
	if c.Format == c.formats[0] && slices.Contains(c.formats, "wide") {
		c.Format = "wide"
		return nil
	}
	return fmt.Errorf("-sort-by and -no-headers are for rows: -o %s has none", c.Format)
}

// Answer writes an answer as -o says: as a value, as its rows, or else as text.
func (s *Session) Answer(c *Common, value any, rows func() *listing.List, text func()) {
	switch c.Format {
	case "json":
		s.JSON(value)
	case "yaml":
		s.YAML(value)
	case "wide", "csv", "name":
		s.List(c, rows())
	default:
		text()
	}
}

// List writes rows.
func (s *Session) List(c *Common, l *listing.List) {
	if c.Rows.SortBy != "" {
		if err := l.SortBy(c.Rows.SortBy); err != nil {
			s.Say(Unread, "-sort-by %v", err)
			return
		}
	}
	switch c.Format {
	case "csv":
		s.WriteString(l.CSV(!c.Rows.NoHeaders))
	case "name":
		s.WriteString(l.Names())
	default:
		s.Aligned(l.Texts(!c.Rows.NoHeaders), 3)
	}
}
