package whatif_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// A manifest lacks what the API server has set in fields that cannot change. Only another value is refused.
func TestFixedFields(t *testing.T) {
	manifest := job("once", 1, "1")
	live := manifest.DeepCopy()
	generated := map[string]string{"batch.kubernetes.io/controller-uid": "u"}
	live.UID, live.Spec.Selector, live.Spec.Template.Labels = "u", &metav1.LabelSelector{MatchLabels: generated}, generated
	live.Spec.Completions, live.Spec.CompletionMode = pointer[int32](1), pointer(batchv1.NonIndexedCompletion)
	live.Spec.Template.Spec.TerminationGracePeriodSeconds, live.Spec.Template.Spec.Containers[0].ImagePullPolicy = pointer[int64](30), corev1.PullAlways
	labelled, image, more := manifest.DeepCopy(), manifest.DeepCopy(), job("once", 1, "2")
	labelled.Labels = map[string]string{"a": "b"}
	image.Spec.Template.Spec.Containers[0].Image = "job:2"
	c := read(t, whatif.Options{}, node("a", "9"), live)
	wantStory(t, did(c.Apply(labelled)), `
		Job once Updated 1/1/1
		  once-1 >a
		`)
	const refused = `: Job.batch "once" is invalid: spec.template: Invalid value: field is immutable`
	wantStory(t, did(c.Apply(image, more)), `
		Job once Refused 1/0/0`+refused+`
		Job once Refused 1/0/0`+refused+`
		`)
	suspended, resumed := live.DeepCopy(), more.DeepCopy()
	suspended.Spec.Suspend, resumed.Spec.Suspend = pointer(true), pointer(false)
	r := wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), suspended).Apply(resumed)), `
		Job once Updated 1/1/1
		  once-1 >a
		`)
	testkit.Equal(t, freeCPU(r.After, "a"), "7")
	testkit.Equal(t, r.Objects[0].Decision.Object.(*batchv1.Job).Spec.Template.Spec.Containers[0].ImagePullPolicy, corev1.PullAlways)

	db := statefulSet("db", 1, "1", "data")
	liveSet := db.DeepCopy()
	liveSet.Spec.PodManagementPolicy, liveSet.Spec.VolumeClaimTemplates[0].Spec.VolumeMode = appsv1.OrderedReadyPodManagement, pointer(corev1.PersistentVolumeFilesystem)
	liveSet.Spec.VolumeClaimTemplates[0].Status.Phase = corev1.ClaimPending
	scaled, larger := statefulSet("db", 2, "1", "data"), statefulSet("db", 1, "1", "data")
	larger.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests = testkit.List("storage", "2Gi")
	wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), liveSet, owned(on("a", podOf("db-0", "1")), "StatefulSet", "db")).Apply(scaled, larger)), `
		StatefulSet db Updated 2/2/2
		StatefulSet db Refused 2/2/2: StatefulSet.apps "db" is invalid: spec.volumeClaimTemplates: Invalid value: field is immutable
		  db-1 >a ?spec.volumes
		`)

	web := deployment("web", 1, "1")
	web.Spec.Selector, web.Spec.Template.Labels = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, map[string]string{"app": "web"}
	other := web.DeepCopy()
	other.Spec.Selector.MatchLabels, other.Spec.Template.Labels = map[string]string{"app": "v2"}, map[string]string{"app": "v2"}
	wantStory(t, did(read(t, whatif.Options{}, web).Apply(other)), `
		Deployment web Refused 1/0/0: Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"v2"}}: field is immutable
		`)
	silent := web.DeepCopy()
	silent.Spec.Selector, silent.Spec.Replicas = nil, pointer[int32](2)
	stored := did(read(t, whatif.Options{}, web).Apply(silent)).Objects[0].Decision.Object.(*appsv1.Deployment)
	testkit.NoDiff(t, stored.Spec.Selector, web.Spec.Selector)
}

// Claims that are created count as bound, so that they can grow; those of a cluster are what their status says.
func TestClaimsGrow(t *testing.T) {
	claim := func(storage string, phase corev1.PersistentVolumeClaimPhase) *corev1.PersistentVolumeClaim {
		c := &corev1.PersistentVolumeClaim{ObjectMeta: meta("data"), Status: corev1.PersistentVolumeClaimStatus{Phase: phase}}
		c.Spec.Resources.Requests, c.Spec.StorageClassName = testkit.List("storage", storage), pointer("gold")
		return c
	}
	gold := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "gold"}, AllowVolumeExpansion: pointer(true)}
	tin := gold.DeepCopy()
	tin.AllowVolumeExpansion = nil
	quota := resourceQuota("storage", "requests.storage", "9Gi")
	bare := claim("9Gi", "")
	bare.Spec.StorageClassName = nil // which stays
	wantStory(t, did(read(t, whatif.Options{}, gold, quota).Apply(claim("5Gi", ""), bare, claim("1Gi", ""))), `
		PersistentVolumeClaim data Created
		PersistentVolumeClaim data Updated
		PersistentVolumeClaim data Refused: PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity
		`)
	r := wantStory(t, did(read(t, whatif.Options{}, gold, quota, claim("5Gi", corev1.ClaimPending)).Apply(claim("9Gi", ""))), `
		PersistentVolumeClaim data Refused: PersistentVolumeClaim "data" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims
		`)
	testkit.Equal(t, len(r.Quotas), 0)
	wantStory(t, did(read(t, whatif.Options{}, tin, quota, claim("5Gi", corev1.ClaimBound)).Apply(claim("9Gi", ""))), `
		PersistentVolumeClaim data Refused: persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize
		`)
}

// The grace period of a pod does not change, unless it was negative, and its gates are only removed.
//
// Source: ValidatePodUpdate of k8s.io/kubernetes v1.37.2 pkg/apis/core/validation/validation.go:5944.
func TestFixedFieldsOfPods(t *testing.T) {
	with := func(seconds int64, gates ...string) *corev1.Pod {
		p := podOf("p", "1")
		p.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: `{"spec": {"schedulingGates": [{"name": "a"}, {"name": "b"}]}}`}
		p.Spec.TerminationGracePeriodSeconds = &seconds
		for _, name := range gates {
			p.Spec.SchedulingGates = append(p.Spec.SchedulingGates, corev1.PodSchedulingGate{Name: name})
		}
		return p
	}
	for _, test := range []struct {
		before, after *corev1.Pod
		want          whatif.Action
	}{
		{with(30), with(60), whatif.Refused},
		{with(30), with(1), whatif.Refused},
		{with(-1), with(60), whatif.Refused},
		{with(-1), with(1), whatif.Updated},
		{with(30, "a", "b"), with(30, "b"), whatif.Updated},
		{with(30, "a", "b"), with(30), whatif.Updated},
		{with(30, "a"), with(30, "a", "c"), whatif.Refused},
		{with(30, "a"), with(30, "c"), whatif.Refused},
	} {
		r := did(read(t, whatif.Options{}, node("a", "9"), test.before).Apply(test.after))
		testkit.Equal(t, r.Objects[0].Action, test.want, *test.after.Spec.TerminationGracePeriodSeconds, test.after.Spec.SchedulingGates)
	}
	wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), with(30, "a", "b")).Apply(with(30))), `
		Pod p Updated
		  p >a
		`)
}

// A deadline of a pod is set, or becomes shorter.
//
// Source: ValidatePodUpdate of k8s.io/kubernetes v1.37.2 pkg/apis/core/validation/validation.go:5884.
func TestDeadlinesOfPods(t *testing.T) {
	with := func(seconds, image string) *corev1.Pod {
		p := podOf("p", "1")
		p.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: `{"spec": {"activeDeadlineSeconds": 1}}`}
		p.Spec.Containers[0].Image = image
		if n, err := strconv.ParseInt(seconds, 10, 64); err == nil {
			p.Spec.ActiveDeadlineSeconds = &n
		}
		return p
	}
	const refused = `: Pod "p" is invalid: spec.activeDeadlineSeconds: Invalid value: `
	for _, test := range []struct {
		before, after, want string
	}{
		{"", "60", "Updated"},
		{"", "0", "Updated"},
		{"60", "30", "Updated"},
		{"60", "60", "Updated"},
		{"60", "61", "Refused" + refused + "61: must be less than or equal to previous value"},
		{"60", "", "Refused" + refused + "null: must not update from a positive integer to nil value"},
		{"60", "-1", "Refused" + refused + "-1: must be between 0 and 2147483647, inclusive"},
		{"", "2147483647", "Updated"},
		{"", "2147483648", "Refused" + refused + "2147483648: must be between 0 and 2147483647, inclusive"},
	} {
		r := did(read(t, whatif.Options{}, with(test.before, "a")).Apply(with(test.after, "b")))
		line, _, _ := strings.Cut(story(r), "\n")
		testkit.Equal(t, line, "Pod p "+test.want, test.before)
	}
}

// The nodes of a pod with gates may become fewer: labels are added to its selector, and requirements to the terms of its
// affinity, or it gets its first ones.
//
// Source: validateNodeSelectorMutation and validateNodeAffinityMutation of k8s.io/kubernetes v1.37.2
// pkg/apis/core/validation/validation.go:9740.
func TestNodesOfGatedPods(t *testing.T) {
	type change = func(spec *corev1.PodSpec)
	selects := func(labels ...string) change {
		return func(spec *corev1.PodSpec) {
			spec.NodeSelector = map[string]string{}
			for _, label := range labels {
				name, value, _ := strings.Cut(label, "=")
				spec.NodeSelector[name] = value
			}
		}
	}
	// Terms are separated by bars, and requirements by commas; those with a capital letter are of fields.
	requires := func(text string) change {
		return func(spec *corev1.PodSpec) {
			var terms []corev1.NodeSelectorTerm
			for part := range strings.SplitSeq(text, "|") {
				var term corev1.NodeSelectorTerm
				for _, name := range strings.FieldsFunc(part, func(r rune) bool { return r == ',' }) {
					r := corev1.NodeSelectorRequirement{Key: name, Operator: corev1.NodeSelectorOpIn, Values: []string{"x"}}
					if name < "a" {
						term.MatchFields = append(term.MatchFields, r)
					} else {
						term.MatchExpressions = append(term.MatchExpressions, r)
					}
				}
				terms = append(terms, term)
			}
			spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}
		}
	}
	prefers := func(spec *corev1.PodSpec) {
		spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 1}}}}
	}
	avoids := func(spec *corev1.PodSpec) {
		spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: "zone"}}}}
	}
	both := func(spec *corev1.PodSpec) {
		avoids(spec)
		affinity := spec.Affinity
		requires("a")(spec)
		affinity.NodeAffinity, spec.Affinity = spec.Affinity.NodeAffinity, affinity
	}
	none := func(*corev1.PodSpec) {}
	empty := func(spec *corev1.PodSpec) { spec.Affinity = &corev1.Affinity{} }
	with := func(isGated bool, change change) *corev1.Pod {
		p := podOf("p", "1")
		p.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: "{}"}
		if isGated {
			p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}}
		}
		change(&p.Spec)
		return p
	}
	for name, test := range map[string]struct {
		before, after change
		want          whatif.Action
	}{
		"the first label":                    {none, selects("a=x"), whatif.Updated},
		"another label":                      {selects("a=x"), selects("a=x", "b=x"), whatif.Updated},
		"another value":                      {selects("a=x"), selects("a=y"), whatif.Refused},
		"the first affinity":                 {none, requires("a"), whatif.Updated},
		"the first affinity to nodes":        {avoids, both, whatif.Updated},
		"another requirement":                {requires("a|b"), requires("a,c|b"), whatif.Updated},
		"a requirement of a field":           {requires("A"), requires("A,B,a"), whatif.Updated},
		"another term":                       {requires("a"), requires("a|b"), whatif.Refused},
		"another first requirement":          {requires("a,b"), requires("b,a"), whatif.Refused},
		"another first field":                {requires("A"), requires("B,A"), whatif.Refused},
		"a requirement less":                 {requires("a,b"), requires("a"), whatif.Refused},
		"a term that selected nothing":       {requires(""), requires("a"), whatif.Refused},
		"what is preferred, once":            {none, prefers, whatif.Updated},
		"what is preferred and not required": {requires("a"), prefers, whatif.Refused},
		"the first affinity to pods":         {none, avoids, whatif.Refused},
		"both affinities":                    {none, both, whatif.Refused},
		"an affinity to nothing":             {none, empty, whatif.Refused},
		"the first affinity of an empty one": {empty, requires("a"), whatif.Updated},
	} {
		for gates, isGated := range map[string]bool{"gated": true, "the last gate goes": true, "not gated": false} { // before
			before, after := with(isGated, test.before), with(gates == "gated", test.after)
			text, err := json.Marshal(before) // so that what the next one lacks is removed
			testkit.OK(t, err)
			before.Annotations[corev1.LastAppliedConfigAnnotation] = string(text)
			want := test.want
			if !isGated {
				want = whatif.Refused
			}
			o := did(read(t, whatif.Options{}, before).Apply(after)).Objects[0]
			testkit.Equal(t, o.Action, want, name, gates)
			const terms = `Pod "p" is invalid: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`
			starts, ends := `Pod "p" is invalid: spec: Forbidden: pod updates may not change fields other than `, " (allow it to be set to 1 if it was previously negative)"
			switch {
			case !isGated:
			case name == "another value":
				starts, ends = `Pod "p" is invalid: spec.nodeSelector: Invalid value: {"a":"y"}: `, "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
			case slices.Contains([]string{"another term", "what is preferred and not required"}, name):
				starts, ends = terms+": Invalid value: ", ": no additions/deletions to non-empty NodeSelectorTerms list are allowed"
			case slices.Contains([]string{"another first requirement", "another first field", "a requirement less", "a term that selected nothing"}, name):
				starts, ends = terms+"[0]: Invalid value: {", ": only additions are allowed (no mutations or deletions)"
			}
			if message := o.Reason.Message; want == whatif.Refused && !(strings.HasPrefix(message, starts) && strings.HasSuffix(message, ends)) {
				t.Errorf("%s: %s", name, message)
			}
		}
	}
}
