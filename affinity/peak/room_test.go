package peak_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// limitsOf is a LimitRange with a maximum and a minimum of containers.
func limitsOf(kind corev1.LimitType, least, most corev1.ResourceList) *corev1.LimitRange {
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: kind, Min: least, Max: most}}}}
	lr.Name = "range"
	return lr
}

func quotaOf(hard corev1.ResourceList) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard, Used: corev1.ResourceList{}}}
	for name := range hard {
		q.Status.Used[name] = resource.Quantity{}
	}
	q.Name = "team"
	return q
}

// Two tasks of 1500m at the same time, with limits of 2, and a placeholder of 50m and 100Mi.
func TestApplySizesInANamespace(t *testing.T) {
	const container, pod = corev1.LimitTypeContainer, corev1.LimitTypePod
	for _, test := range []struct {
		name    string
		ranges  []*corev1.LimitRange
		quotas  []*corev1.ResourceQuota
		want    string // the changes
		refused string // a part of the first refusal
	}{
		{"no bounds", nil, nil, "cpu request 50m to 3; cpu limit 50m to 3", ""},
		{"room for all", []*corev1.LimitRange{limitsOf(container, nil, list("cpu", "3"))}, []*corev1.ResourceQuota{quotaOf(list("requests.cpu", "6"))}, "cpu request 50m to 3; cpu limit 50m to 3", ""},
		{"a maximum of containers", []*corev1.LimitRange{limitsOf(container, nil, list("cpu", "2"))}, nil, "cpu request 50m to 2; cpu limit 50m to 2", "limit cpu 3 is above the maximum 2 of LimitRange range"},
		{"a maximum of pods", []*corev1.LimitRange{limitsOf(pod, nil, list("cpu", "2"))}, nil, "cpu request 50m to 2; cpu limit 50m to 2", "limit cpu 3 is above the maximum 2 of LimitRange range"},
		{"a minimum", []*corev1.LimitRange{limitsOf(container, list("memory", "200Mi"), nil)}, nil, "cpu request 50m to 3; cpu limit 50m to 3; memory request 100Mi to 200Mi; memory limit 100Mi to 200Mi", ""},
		{"a quota of requests", nil, []*corev1.ResourceQuota{quotaOf(list("requests.cpu", "5"))}, "cpu request 50m to 2; cpu limit 50m to 2", "requested: requests.cpu=3, used: requests.cpu=3, limited: requests.cpu=5"},
		{"a quota of limits", nil, []*corev1.ResourceQuota{quotaOf(list("limits.cpu", "5"))}, "cpu request 50m to 1; cpu limit 50m to 1", "requested: limits.cpu=3, used: limits.cpu=4, limited: limits.cpu=5"},
		{"no room at the peak, but for one", nil, []*corev1.ResourceQuota{quotaOf(list("requests.cpu", "2800m"))}, "cpu request 50m to 1300m; cpu limit 50m to 1300m", "used: requests.cpu=1500m"},
		{"no room for one", nil, []*corev1.ResourceQuota{quotaOf(list("requests.cpu", "1500m"))}, "", "requested: requests.cpu=50m, used: requests.cpu=1500m, limited: requests.cpu=1500m"},
		{"pods", nil, []*corev1.ResourceQuota{quotaOf(list("pods", "3"))}, "cpu request 50m to 3; cpu limit 50m to 3", ""},
		{"two pods, which are not at once beside it", nil, []*corev1.ResourceQuota{quotaOf(list("pods", "2", "requests.cpu", "5"))}, "cpu request 50m to 3; cpu limit 50m to 3", ""},
		{"a pod too few", nil, []*corev1.ResourceQuota{quotaOf(list("pods", "1"))}, "", "exceeded quota: team, requested: pods=1"},
		{"contradictory bounds", []*corev1.LimitRange{limitsOf(container, list("cpu", "100m"), nil), limitsOf(pod, nil, list("cpu", "60m"))}, nil, "", "is above the maximum 60m"},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := &affinity.Run{Name: "run", UID: "uid"}
			for _, name := range []string{"a", "b"} {
				run.Tasks = append(run.Tasks, affinity.Task{Name: name, Requests: list("cpu", "1500m"), Limits: list("cpu", "2")})
			}
			p := plan(t, run, affinity.PerRun)
			sizes, err := peak.ApplySizes(p, run, peak.Options{LimitRanges: test.ranges, Quotas: test.quotas})
			testkit.OK(t, err)
			var changes []string
			for _, c := range sizes[0].Changes {
				changes = append(changes, fmt.Sprintf("%s %s %s to %s", c.Resource, c.List, c.From, c.To))
			}
			testkit.Equal(t, strings.Join(changes, "; "), test.want)
			testkit.NoDiff(t, sizes[0].Least, list("cpu", "50m", "memory", "100Mi"))
			testkit.NoDiff(t, sizes[0].Size, p.StatefulSets[0].Spec.Template.Spec.Containers[0].Resources.Requests)
			got := ""
			if len(sizes[0].Refusals) > 0 {
				got = sizes[0].Refusals[0].Error() + sizes[0].Refusals[0].Message()
			}
			if test.refused == "" && got != "" || !strings.Contains(got, test.refused) {
				t.Errorf("refused: %q, want %q", got, test.refused)
			}
		})
	}
}

// The tasks of both placeholders need 3 of 5 CPUs at once. The first placeholder takes 1500m of the rest.
func TestApplySizesOneAfterAnother(t *testing.T) {
	run := &affinity.Run{Name: "run", UID: "uid", Workspaces: []affinity.Workspace{{Name: "a", ClaimName: "a"}, {Name: "b", ClaimName: "b"}}}
	for _, name := range []string{"a", "b"} {
		run.Tasks = append(run.Tasks, affinity.Task{Name: name, Requests: list("cpu", "1500m"), Workspaces: []string{name}})
	}
	sizes, err := peak.ApplySizes(plan(t, run, affinity.PerWorkspace), run,
		peak.Options{Quotas: []*corev1.ResourceQuota{quotaOf(list("requests.cpu", "5"))}})
	testkit.OK(t, err)
	testkit.NoDiff(t, sizes[0].Size, list("cpu", "1500m", "memory", "100Mi"))
	testkit.NoDiff(t, sizes[1].Size, list("cpu", "500m", "memory", "100Mi"))
}

// A quota counts the tasks that opts do not select, by their priority class and deadline, which the placeholder has and does not have.
func TestApplySizesByScope(t *testing.T) {
	scoped := func(scope corev1.ResourceQuotaScope, operator corev1.ScopeSelectorOperator, values ...string) *corev1.ResourceQuota {
		q := quotaOf(list("requests.cpu", "5"))
		q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: scope, Operator: operator, Values: values}}}
		return q
	}
	for _, test := range []struct {
		name string
		q    *corev1.ResourceQuota
		want string
	}{
		{"all", quotaOf(list("requests.cpu", "5")), "2"},
		{"the class of the run", scoped(corev1.ResourceQuotaScopePriorityClass, corev1.ScopeSelectorOpIn, "high"), "2"},
		{"another class", scoped(corev1.ResourceQuotaScopePriorityClass, corev1.ScopeSelectorOpIn, "low"), "3"},
		{"the tasks alone", scoped(corev1.ResourceQuotaScopeTerminating, corev1.ScopeSelectorOpExists), "3"},
		{"the placeholder alone", scoped(corev1.ResourceQuotaScopeNotTerminating, corev1.ScopeSelectorOpExists), "3"},
	} {
		run := &affinity.Run{Name: "run", UID: "uid", PodTemplate: affinity.PodTemplate{PriorityClassName: "high"}}
		for _, name := range []string{"a", "b"} {
			run.Tasks = append(run.Tasks, affinity.Task{Name: name, Requests: list("cpu", "1500m")})
		}
		sizes, err := peak.ApplySizes(plan(t, run, affinity.PerRun), run, peak.Options{Only: []string{"a"}, Quotas: []*corev1.ResourceQuota{test.q}})
		testkit.OK(t, err)
		testkit.Equal(t, sizes[0].Size.Cpu().String(), test.want, test.name)
	}
}

// A namespace that is invalid leaves the plan as it was.
func TestApplySizesInAnInvalidNamespace(t *testing.T) {
	run := twoClaims()
	p := plan(t, run, affinity.PerRun)
	before := sizes(t, p)
	got, err := peak.ApplySizes(p, run, peak.Options{LimitRanges: []*corev1.LimitRange{limitsOf(corev1.LimitTypeContainer, list("cpu", "2"), list("cpu", "1"))}})
	if err == nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	testkit.NoDiff(t, sizes(t, p), before)
}

// drawNamespace draws LimitRanges and quotas of a few cores.
func drawNamespace(t *rapid.T) (opts peak.Options) {
	bounds := map[string]map[corev1.ResourceName][]string{
		"min":     {"cpu": {"", "", "10m", "60m"}, "memory": {"", "", "64Mi", "101Mi"}},
		"max":     {"cpu": {"", "", "1", "2", "3", "5"}, "memory": {"", "", "300Mi", "1Gi", "3Gi"}},
		"default": {"cpu": {"", "", "", "1", "2"}, "memory": {"", "", "", "200Mi", "1Gi"}},
	}
	amount := func(label string) corev1.ResourceList {
		l := corev1.ResourceList{}
		for _, name := range []corev1.ResourceName{"cpu", "memory"} {
			amounts := bounds[label][name]
			if a := rapid.SampledFrom(amounts).Draw(t, label+" of "+string(name)); a != "" {
				l[name] = resource.MustParse(a)
			}
		}
		return l
	}
	for _, kind := range []corev1.LimitType{corev1.LimitTypeContainer, corev1.LimitTypePod} {
		lr := limitsOf(kind, amount("min"), amount("max"))
		lr.Name = string(kind)
		if kind == corev1.LimitTypeContainer {
			lr.Spec.Limits[0].Default = amount("default")
		}
		if _, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{}); err == nil && rapid.Bool().Draw(t, "with a range") {
			opts.LimitRanges = append(opts.LimitRanges, lr)
		}
	}
	for _, name := range []corev1.ResourceName{"requests.cpu", "limits.cpu", "memory", "pods"} {
		if rapid.IntRange(0, 2).Draw(t, "with a quota") > 0 {
			continue
		}
		amounts := []string{"1", "2", "3", "5", "8"}
		if name == "memory" {
			amounts = []string{"200Mi", "1Gi", "3Gi", "8Gi"}
		}
		q := quotaOf(corev1.ResourceList{name: resource.MustParse(rapid.SampledFrom(amounts).Draw(t, "hard"))})
		q.Name = string(name)
		opts.Quotas = append(opts.Quotas, q)
	}
	return opts
}

// Whenever the pods of a run are admitted one after another, so are its placeholders and, beside them, the pods; or
// the answer says what forbids it. If all pods of a peak fit beside them, no placeholder could request more, and still all would.
func TestPlaceholdersAreAdmitted(t *testing.T) {
	n := map[string]int{}
	check := func(t *rapid.T) {
		opts := drawNamespace(t)
		ns, err := admit.Compile(opts.LimitRanges, opts.Quotas, admit.Options{})
		testkit.OK(t, err)
		run := &affinity.Run{Name: "run", UID: "uid", Workspaces: []affinity.Workspace{{Name: "one", ClaimName: "a"}, {Name: "two", ClaimName: "b"}}}
		pods := map[string]*corev1.Pod{}
		for i := range rapid.IntRange(1, 4).Draw(t, "tasks") {
			name := fmt.Sprint("t-", i)
			resources := corev1.ResourceRequirements{Requests: list("cpu", rapid.SampledFrom([]string{"100m", "1", "1500m", "2"}).Draw(t, "cpu"), "memory", rapid.SampledFrom([]string{"100Mi", "300Mi", "1Gi"}).Draw(t, "memory"))}
			if rapid.Bool().Draw(t, "limited") {
				resources.Limits = resources.Requests.DeepCopy()
			}
			deadline := int64(3600)
			pods[name] = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{ActiveDeadlineSeconds: &deadline, Containers: []corev1.Container{{Name: "step", Resources: resources}}}}
			stored := &ns.Create(pods[name], admit.Attributes{}).Object.(*corev1.Pod).Spec
			task := affinity.Task{
				Name: name, Workspaces: []string{rapid.SampledFrom([]string{"one", "two"}).Draw(t, "workspace")},
				Requests: computeresources.SpecRequests(stored, computeresources.Options{}), Limits: computeresources.SpecLimits(stored, computeresources.Options{}),
			}
			if i > 0 && rapid.Bool().Draw(t, "after") {
				task.RunAfter = []string{run.Tasks[i-1].Name}
			}
			run.Tasks = append(run.Tasks, task)
		}
		p := plan(t, run, rapid.SampledFrom([]affinity.Behavior{affinity.PerRun, affinity.PerWorkspace}).Draw(t, "behavior"))
		wanted, err := peak.DemandsOf(p, run, opts)
		testkit.OK(t, err)
		sizes, err := peak.ApplySizes(p, run, opts)
		testkit.OK(t, err)
		refused := slices.ContainsFunc(sizes, func(s peak.Size) bool { return len(s.Refusals) > 0 })
		alone := admitsEach(ns, pods)
		with, admitted := withPlaceholders(ns, p)
		n["namespaces"]++
		switch {
		case !alone:
			n["pods that do not fit alone"]++
			return
		case !refused && (!admitted || !admitsEach(with, pods)):
			t.Fatalf("nothing is refused, but placeholders: %v", admitted)
		case !refused:
			n["all of the size"]++
		case admitted && admitsEach(with, pods):
			n["a smaller size"]++
		default:
			n["refused"]++
		}
		for i, s := range sizes {
			d := wanted[slices.IndexFunc(wanted, func(d peak.PlacedDemand) bool { return d.Assistant == s.Assistant })].Demand.Requests()
			larger := false
			for name, q := range d {
				size := s.Size[name]
				if size.Cmp(q) >= 0 {
					continue
				}
				if len(s.Refusals) == 0 {
					t.Fatalf("%s of %s is %s, not %s, and nothing is refused", name, s.Assistant, &size, &q)
				}
				larger = true
				if i == len(sizes)-1 && admitted && fitsMore(with, p, i, name, run, pods) {
					t.Fatalf("%s of %s could be more than %s: %v", name, s.Assistant, &size, s.Refusals)
				}
			}
			if !larger && admitted && len(s.Refusals) > 0 && admitsEach(with, pods) {
				t.Fatalf("%s has its size %v, but: %v", s.Assistant, s.Size, s.Refusals)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 3 { // one namespace in twenty has placeholders of a smaller size
			check(t)
		}
	})
	t.Log(n)
	for _, what := range []string{"all of the size", "a smaller size", "refused", "pods that do not fit alone"} {
		if n[what] == 0 && !testing.Short() {
			t.Errorf("never %s", what)
		}
	}
}

// admitsEach reports whether each pod is admitted, when the one before it has gone.
func admitsEach(ns *admit.Namespace, pods map[string]*corev1.Pod) bool {
	for _, pod := range pods {
		if !ns.Create(pod, admit.Attributes{}).Admitted() {
			return false
		}
	}
	return true
}

// withPlaceholders returns the namespace with the placeholders of a plan, and whether all are admitted.
func withPlaceholders(ns *admit.Namespace, p *affinity.Plan) (*admit.Namespace, bool) {
	for _, set := range p.StatefulSets {
		d := ns.Create(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: set.Name + "-0"}, Spec: set.Spec.Template.Spec}, admit.Attributes{})
		if !d.Admitted() {
			return ns, false
		}
		ns = ns.After(d)
	}
	return ns, true
}

// fitsMore reports whether the last placeholder could request one unit more of a resource beside the tasks of every peak,
// which fit beside it as it is.
func fitsMore(with *admit.Namespace, p *affinity.Plan, at int, name corev1.ResourceName, run *affinity.Run, pods map[string]*corev1.Pod) bool {
	demand, err := peak.DemandOf(run, peak.Options{})
	if err != nil {
		return false
	}
	limited := *run
	limited.Tasks = slices.Clone(run.Tasks)
	for i := range limited.Tasks {
		limited.Tasks[i].Requests = limited.Tasks[i].Limits
	}
	limits, err := peak.DemandOf(&limited, peak.Options{})
	if err != nil {
		return false
	}
	for _, d := range slices.Concat(demand.Peaks, limits.Peaks) {
		ns := with
		more := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "more"}}}}
		set := p.StatefulSets[at].Spec.Template.Spec.DeepCopy()
		unit := map[corev1.ResourceName]string{"cpu": "1m", "memory": "1"}[name]
		r := &set.Containers[0].Resources
		r.Requests = resourcelist.Add(r.Requests, list(string(name), unit))
		r.Limits = resourcelist.Add(r.Limits, list(string(name), unit))
		more.Spec = *set
		more.Name = "placeholder"
		old := &corev1.Pod{Spec: p.StatefulSets[at].Spec.Template.Spec}
		old.Name = more.Name
		// In place of the last placeholder: an update that changes its amounts, as a resize does.
		grown := ns.Update(old, more, admit.Attributes{Subresource: "resize"})
		if !grown.Admitted() {
			return false
		}
		ns = ns.After(grown)
		for _, task := range d.Tasks {
			created := ns.Create(pods[task], admit.Attributes{})
			if !created.Admitted() {
				return false
			}
			ns = ns.After(created)
		}
	}
	return true
}

// The pods of all plans are placeholders for everyone: they are those of Cleanup, and Stranded, FullNodes and Shrink find them.
func TestAllAgreeAboutPlaceholders(t *testing.T) {
	for _, behavior := range []affinity.Behavior{affinity.PerWorkspace, affinity.PerRun, affinity.PerRunIsolated} {
		run := twoClaims()
		p := plan(t, run, behavior)
		sizes, err := peak.ApplySizes(p, run, peak.Options{ResizableOnly: true})
		testkit.OK(t, err)
		cleaned, _ := affinity.Cleanup(run, affinity.Options{Behavior: behavior})
		var named []string
		for _, set := range p.StatefulSets {
			named = append(named, set.Name)
			for _, labels := range []map[string]string{set.Spec.Template.Labels, nil} { // an older pod, without
				pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: set.Name + "-0", Labels: labels}, Spec: *set.Spec.Template.Spec.DeepCopy()}
				pod.Spec.NodeName = "node"
				waiting := waitingPod("task", set.Name, "1")
				waiting.Namespace = pod.Namespace
				full := peak.FullNodes([]*corev1.Pod{pod, waiting}, map[string]*noderesources.Ledger{"node": noderesources.NewLedger(nil)}, noderesources.FitOptions{})
				testkit.Equal(t, len(full), 1, set.Name)
				testkit.Equal(t, full[0].Assistant, set.Name)
				node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node"}, Spec: corev1.NodeSpec{Unschedulable: true}}
				stranded := affinity.Stranded([]*corev1.Pod{pod, waiting}, []*corev1.Node{node}, affinity.StrandedOptions{})
				testkit.Equal(t, len(stranded), 1, set.Name)
				testkit.Equal(t, stranded[0].Assistant, set.Name)
				at := slices.IndexFunc(sizes, func(s peak.Size) bool { return s.Assistant == set.Name })
				if changes := peak.Shrink(&pod.Spec, sizes[at].Size, sizes[at].Least, []corev1.ResourceList{list("cpu", "10m", "memory", "1Gi")}); len(changes) == 0 {
					t.Errorf("%s %s does not shrink from %v", behavior, set.Name, sizes[at].Size)
				}
			}
		}
		slices.Sort(named)
		testkit.NoDiff(t, named, cleaned)
	}
}
