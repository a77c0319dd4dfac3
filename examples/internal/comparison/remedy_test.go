package comparison_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// list returns objects as they are read.
func list(all ...admit.APIObject) inventory.List {
	l := inventory.List{Home: "shop"}
	l.Read(func(yield func(objects.Object) bool) {
		for _, o := range all {
			kind := fmt.Sprintf("%T", o)[len("*v1."):]
			if !yield(objects.Object{Kind: kind, Typed: o.DeepCopyObject()}) {
				return
			}
		}
	})
	return l
}

func drawWorkload(t *rapid.T, stateful bool, label string) admit.APIObject {
	replicas := rapid.Int32Range(1, 6).Draw(t, label+" replicas")
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}}}
	for _, name := range []string{"app", "log"} {
		c := corev1.Container{Name: name, Image: label}
		c.Resources.Requests = amounts(t, label+" request of "+name, 100, 900)
		if rapid.Bool().Draw(t, label+" has limits") {
			c.Resources.Limits = amounts(t, label+" limit of "+name, 900, 2000)
		}
		template.Spec.Containers = append(template.Spec.Containers, c)
	}
	meta, selector := metav1.ObjectMeta{Namespace: "shop", Name: "web"}, &metav1.LabelSelector{MatchLabels: template.Labels}
	if stateful {
		return &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Replicas: &replicas, Selector: selector, Template: template}}
	}
	return &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Replicas: &replicas, Selector: selector, Template: template}}
}

func amounts(t *rapid.T, label string, least, most int64) corev1.ResourceList {
	return corev1.ResourceList{
		"cpu":    *resource.NewMilliQuantity(rapid.Int64Range(least, most).Draw(t, label), resource.DecimalSI),
		"memory": *resource.NewQuantity(rapid.Int64Range(least, most).Draw(t, label+" in Mi")<<20, resource.BinarySI),
	}
}

func reportOn(t *rapid.T, cluster, old []admit.APIObject, change ...admit.APIObject) *comparison.Report {
	r, err := comparison.ReportOf(&comparison.Input{Cluster: list(cluster...), Old: list(old...), Change: list(change...)}, comparison.Options{})
	testkit.OK(t, err)
	return r
}

// Each advice, applied instead of the object, admits all of its pods: with those of the former template there, and
// within LimitRanges.
func TestRemediesAdmit(t *testing.T) {
	seen := map[string]int{}
	check := func(t *rapid.T) {
		hard := corev1.ResourceList{
			"pods":         *resource.NewQuantity(rapid.Int64Range(1, 9).Draw(t, "pods"), resource.DecimalSI),
			"requests.cpu": *resource.NewMilliQuantity(rapid.Int64Range(500, 6000).Draw(t, "cpu"), resource.DecimalSI),
		}
		if rapid.Bool().Draw(t, "limits") {
			hard["limits.memory"] = *resource.NewQuantity(rapid.Int64Range(1, 16).Draw(t, "memory")<<30, resource.BinarySI)
		}
		q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "team"}, Spec: corev1.ResourceQuotaSpec{Hard: hard}}
		most := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "most"}}
		if rapid.Bool().Draw(t, "has a LimitRange") {
			most.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Max: amounts(t, "max", 700, 1500)}}
		}
		stateful := rapid.IntRange(0, 3).Draw(t, "kind") == 0
		cluster, old := []admit.APIObject{q, most}, []admit.APIObject(nil)
		if rapid.Bool().Draw(t, "is an update") {
			old = append(old, drawWorkload(t, stateful, "old"))
		}
		change := drawWorkload(t, stateful, "new")
		if d, is := change.(*appsv1.Deployment); is && len(old) > 0 && rapid.Bool().Draw(t, "is full") { // so that only the surge is too much
			old[0].(*appsv1.Deployment).Spec.Replicas = d.Spec.Replicas
			q.Spec.Hard = corev1.ResourceList{"pods": *resource.NewQuantity(int64(*d.Spec.Replicas), resource.DecimalSI)}
		}
		o := reportOn(t, cluster, old, change).Objects[0]
		admits := func(what string, instead ...admit.APIObject) {
			t.Helper()
			seen[what]++
			r := reportOn(t, cluster, old, instead...)
			if got := &r.Objects[len(instead)-1]; got.Fails() {
				t.Errorf("%s: %+v\nafter the advice %+v", what, got, o)
			}
		}
		if len(o.Fix) > 0 {
			fixed := change.DeepCopyObject().(admit.APIObject)
			for _, c := range o.Fix {
				to := resource.MustParse(c.To)
				testkit.OK(t, computeresources.ApplyChanges(inventory.PodSpec(fixed), []computeresources.Change{{Ref: c.Ref, List: c.List, Resource: c.Resource, To: &to}}))
				if to.IsZero() {
					t.Errorf("an advice of zero: %+v", o.Fix)
				}
			}
			admits("amounts", fixed)
		}
		if o.Remedies == nil {
			return
		}
		if s := o.Remedies.Strategy; s != nil {
			fixed := change.DeepCopyObject().(*appsv1.Deployment)
			fixed.Spec.Strategy = *s
			admits("strategy", fixed)
		}
		if n := o.Remedies.Replicas; n > 0 {
			fixed := change.DeepCopyObject().(admit.APIObject)
			switch w := fixed.(type) {
			case *appsv1.Deployment:
				w.Spec.Replicas = &n
			case *appsv1.StatefulSet:
				w.Spec.Replicas = &n
			}
			admits("replicas", fixed)
		}
		if raises := o.Remedies.Quotas; len(raises) > 0 {
			raised := q.DeepCopy()
			for name, hard := range raises[0].Hard {
				raised.Spec.Hard[name] = resource.MustParse(hard)
			}
			admits("quota", raised, change)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 5 { // a strategy helps few of them
			check(t)
		}
	})
	for _, what := range []string{"amounts", "strategy", "replicas", "quota"} {
		if !testing.Short() && seen[what] == 0 {
			t.Errorf("no advice of the kind %s", what)
		}
	}
}
