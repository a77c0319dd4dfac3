package controllers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/record"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/controller/history"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
)

// setState is a StatefulSet with its pods and claims, by name, and what the API server refuses to create.
type setState struct {
	set     *appsv1.StatefulSet
	pods    map[string]*corev1.Pod
	claims  map[string]bool
	refused map[string]bool // pods and claims
}

// setRevisions has the templates of a StatefulSet that was updated twice, and the names of their revisions.
type setRevisions struct {
	control   statefulset.StatefulSetControlInterface
	server    *setServer
	templates []corev1.PodTemplateSpec
	names     []string
}

// setServer is the API server as the controller of StatefulSets uses it. It notes what is created and deleted.
type setServer struct {
	sync.Mutex
	*setState
	done []string
}

func (s *setServer) note(verb, name string, isRefused bool) error {
	s.Lock()
	defer s.Unlock()
	if isRefused {
		verb = "refused: " + verb
	}
	s.done = append(s.done, verb+" "+name)
	if isRefused {
		return errors.New("refused")
	}
	return nil
}

func (s *setServer) CreatePod(_ context.Context, p *corev1.Pod, _ *appsv1.StatefulSet) error {
	return s.note("create", p.Name+" "+p.Labels[appsv1.StatefulSetRevisionLabel], s.refused[p.Name])
}

func (s *setServer) GetPod(_, name string) (*corev1.Pod, error) { return s.pods[name], nil }

func (s *setServer) UpdatePod(*corev1.Pod, *appsv1.StatefulSet) error { return nil }

func (s *setServer) DeletePod(p *corev1.Pod) error { return s.note("delete", p.Name, false) }

func (s *setServer) CreateClaim(c *corev1.PersistentVolumeClaim, _ *appsv1.StatefulSet) error {
	return s.note("create", c.Name, s.refused[c.Name])
}

func (s *setServer) GetClaim(_, name string) (*corev1.PersistentVolumeClaim, error) {
	if !s.claims[name] {
		return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "persistentvolumeclaims"}, name)
	}
	return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}, nil
}

func (s *setServer) UpdateClaim(*corev1.PersistentVolumeClaim, *appsv1.StatefulSet) error { return nil }

func (s *setServer) UpdateStatefulSetStatus(_ context.Context, set *appsv1.StatefulSet, status *appsv1.StatefulSetStatus) error {
	s.set.Status = *status
	return nil
}

// newSetRevisions lets the controller see three templates, one after the other.
func newSetRevisions(t testkit.TB) *setRevisions {
	r := &setRevisions{server: &setServer{setState: &setState{}}}
	revisions := informers.NewSharedInformerFactory(nil, 0).Apps().V1().ControllerRevisions()
	r.control = statefulset.NewDefaultStatefulSetControl(
		statefulset.NewStatefulPodControlFromManager(r.server, &record.FakeRecorder{}), r.server, history.NewFakeHistory(revisions))
	for i := range 3 {
		set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db", UID: "set"}}
		set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}
		set.Spec.Replicas, set.Spec.RevisionHistoryLimit = new(int32), new(int32(10))
		template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: set.Spec.Selector.MatchLabels}}
		template.Spec.Containers = []corev1.Container{{Name: "app", Image: fmt.Sprint("app:", i)}}
		set.Spec.Template = template
		r.server.set = set
		status, err := r.control.UpdateStatefulSet(context.Background(), set, nil, time.Now())
		testkit.OK(t, err)
		r.templates, r.names = append(r.templates, template), append(r.names, status.UpdateRevision)
	}
	return r
}

// drawSpec draws what users change of a StatefulSet.
func (r *setRevisions) drawSpec(t *rapid.T, set *appsv1.StatefulSet) {
	set.Spec.Replicas = new(rapid.Int32Range(0, 6).Draw(t, "replicas"))
	set.Spec.Template = r.templates[rapid.SampledFrom([]int{2, 2, 2, 0, 1}).Draw(t, "template")]
	strategies := []appsv1.StatefulSetUpdateStrategyType{"RollingUpdate", "RollingUpdate", "RollingUpdate", "OnDelete"}
	if oracle.Release >= "1.37" { // others do not store it
		strategies = append(strategies, "Recreate")
	}
	set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: rapid.SampledFrom(strategies).Draw(t, "strategy")}
	if set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType {
		rolling := &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(rapid.SampledFrom([]int32{0, 0, 0, 1, 2, 3, 7}).Draw(t, "partition"))}
		if most := rapid.SampledFrom([]string{"", "", "1", "2", "3", "1%", "34%", "50%", "100%"}).Draw(t, "may be unavailable"); most != "" {
			rolling.MaxUnavailable = new(intstr.Parse(most))
		}
		set.Spec.UpdateStrategy.RollingUpdate = rolling
	}
	if first := rapid.SampledFrom([]int32{-1, -1, -1, 0, 1, 2}).Draw(t, "first ordinal"); first >= 0 {
		set.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: first}
	} else {
		set.Spec.Ordinals = nil
	}
}

func (r *setRevisions) drawState(t *rapid.T) *setState {
	s := &setState{set: r.server.set.DeepCopy(), pods: map[string]*corev1.Pod{}, claims: map[string]bool{}, refused: map[string]bool{}}
	spec := &s.set.Spec
	spec.PodManagementPolicy = rapid.SampledFrom([]appsv1.PodManagementPolicyType{"OrderedReady", "Parallel"}).Draw(t, "policy")
	for i := range rapid.IntRange(0, 2).Draw(t, "claims") {
		spec.VolumeClaimTemplates = append(spec.VolumeClaimTemplates, corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: []string{"data", "logs"}[i]}})
	}
	kinds := []appsv1.PersistentVolumeClaimRetentionPolicyType{"Retain", "Delete"}
	spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
		WhenDeleted: rapid.SampledFrom(kinds).Draw(t, "when deleted"), WhenScaled: rapid.SampledFrom(kinds).Draw(t, "when scaled")}
	r.drawSpec(t, s.set)
	s.set.Status = appsv1.StatefulSetStatus{CurrentRevision: rapid.SampledFrom(append([]string{""}, r.names...)).Draw(t, "current revision")}
	if rapid.IntRange(0, 30).Draw(t, "is deleted") == 0 {
		s.set.DeletionTimestamp = &metav1.Time{}
	}
	isUsual := rapid.Bool().Draw(t, "all pods are ready")
	for ordinal := range 8 {
		name := fmt.Sprint("db-", ordinal)
		if rapid.IntRange(0, 3).Draw(t, "exists") > 0 {
			revision := rapid.SampledFrom([]string{r.names[0], r.names[1], r.names[2], r.names[2], ""}).Draw(t, "revision")
			s.pods[name] = s.newPod(name, revision)
			s.drawStatus(t, s.pods[name], isUsual)
		}
		for _, object := range append(s.claimsOf(name), name) {
			s.refused[object] = rapid.IntRange(0, 9).Draw(t, "refused") == 0
			s.claims[object] = object != name && rapid.Bool().Draw(t, "is there")
		}
	}
	return s
}

func (s *setState) claimsOf(pod string) (names []string) {
	for _, template := range s.set.Spec.VolumeClaimTemplates {
		names = append(names, template.Name+"-"+pod)
	}
	return names
}

// newPod returns a pod as its controller has created it.
func (s *setState) newPod(name, revision string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name), Labels: map[string]string{
		"app": "db", appsv1.StatefulSetPodNameLabel: name}}}
	if revision != "" {
		p.Labels[appsv1.StatefulSetRevisionLabel] = revision
	}
	for i, claim := range s.claimsOf(name) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: s.set.Spec.VolumeClaimTemplates[i].Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}})
	}
	p.Status.Phase = corev1.PodPending
	return p
}

func (s *setState) drawStatus(t *rapid.T, p *corev1.Pod, isUsual bool) {
	p.Status.Phase = corev1.PodRunning
	isReady := true
	if !isUsual && rapid.IntRange(0, 2).Draw(t, "is ready") == 0 {
		isReady = false
		p.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{"Running", "Pending", "Failed", "Succeeded"}).Draw(t, "phase")
	}
	if isReady {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	}
	if rapid.IntRange(0, 15).Draw(t, "is terminating") == 0 {
		p.DeletionTimestamp = &metav1.Time{}
	}
}

func isReadyPod(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodRunning && len(p.Status.Conditions) > 0
}

// upstream returns what the controller of Kubernetes does, and the current revision afterwards.
func (r *setRevisions) upstream(s *setState) (done []string, current string) {
	r.server.setState, r.server.done = &setState{set: s.set.DeepCopy(), pods: s.pods, claims: s.claims, refused: s.refused}, nil
	var pods []*corev1.Pod
	for _, p := range s.pods {
		pods = append(pods, p.DeepCopy())
	}
	r.control.UpdateStatefulSet(context.Background(), s.set.DeepCopy(), pods, time.Now())
	return r.server.done, r.server.set.Status.CurrentRevision
}

// ours returns what we say that it does.
func (r *setRevisions) ours(s *setState, rules release.Rules) (done []string, current string) {
	update := r.names[slices.IndexFunc(r.templates, func(template corev1.PodTemplateSpec) bool {
		return template.Spec.Containers[0].Image == s.set.Spec.Template.Spec.Containers[0].Image
	})]
	if current = s.set.Status.CurrentRevision; current == "" {
		current = update
	}
	set := controllers.NewStatefulSet(s.set, rules)
	for name, p := range s.pods {
		set.See(name, &controllers.Pod{Object: p, IsReady: isReadyPod(p), IsOutdated: p.Labels[appsv1.StatefulSetRevisionLabel] != update})
	}
	for _, batch := range set.Sync() {
		isRefused := false
		create := func(name, revision string) bool {
			verb := "create "
			if s.refused[name] {
				verb = "refused: create "
			}
			done = append(done, verb+name+revision)
			isRefused = isRefused || s.refused[name]
			return !s.refused[name]
		}
		for _, step := range batch {
			if step.Delete != nil {
				done = append(done, "delete "+step.Delete.Object.Name)
				continue
			}
			name, hasClaims := fmt.Sprint("db-", step.Ordinal), true
			for _, claim := range s.claimsOf(name) {
				hasClaims = (s.claims[claim] || create(claim, "")) && hasClaims
			}
			revision := update
			if step.IsFormer {
				revision = current
			}
			if !step.ClaimsOnly && hasClaims {
				create(name, " "+revision)
			}
		}
		if isRefused {
			break
		}
	}
	if set.IsUpdated() {
		current = update
	}
	return done, current
}

// compare compares what the controllers do in one sync. The order counts if pods are managed in order, but for claims,
// which are in a map.
func (r *setRevisions) compare(t testkit.TB, s *setState, rules release.Rules) (done []string, current string) {
	theirs, theirCurrent := r.upstream(s)
	ours, ourCurrent := r.ours(s, rules)
	isClaim := func(text string) bool { return !strings.Contains(text, " db-") }
	if s.set.Spec.PodManagementPolicy == appsv1.OrderedReadyPodManagement && s.set.Spec.UpdateStrategy.Type != "Recreate" {
		testkit.NoDiff(t, slices.DeleteFunc(slices.Clone(ours), isClaim), slices.DeleteFunc(slices.Clone(theirs), isClaim), "in order")
	}
	slices.Sort(theirs)
	slices.Sort(ours)
	theirs, ours = slices.Compact(theirs), slices.Compact(ours)
	testkit.NoDiff(t, ours, theirs)
	if isRefused := rules.RecreatesStatefulSets() || s.set.Spec.UpdateStrategy.Type != "Recreate"; isRefused && s.set.DeletionTimestamp == nil {
		testkit.Equal(t, ourCurrent, theirCurrent, "the current revision")
	}
	return ours, ourCurrent
}

// withGates runs a test with each combination of the gates of StatefulSets that the release has.
func withGates(t *testing.T, test func(t *testing.T, rules release.Rules)) {
	all := []release.Rules{{Release: oracle.Release}}
	for _, name := range []string{"MaxUnavailableStatefulSet", "StatefulSetRecreateStrategy"} {
		if _, isKnown := utilfeature.DefaultMutableFeatureGate.GetAll()[featuregate.Feature(name)]; !isKnown {
			continue
		}
		was := utilfeature.DefaultFeatureGate.Enabled(featuregate.Feature(name))
		t.Cleanup(func() { setGate(t, name, was) })
		var both []release.Rules
		for _, rules := range all {
			for _, isOn := range []bool{false, true} {
				if name == "MaxUnavailableStatefulSet" {
					rules.MaxUnavailableStatefulSet = new(isOn)
				} else {
					rules.StatefulSetRecreateStrategy = new(isOn)
				}
				both = append(both, rules)
			}
		}
		all = both
	}
	for _, rules := range all {
		several, recreate := rules.UpdatesSeveralReplicas(), rules.RecreatesStatefulSets()
		t.Run(fmt.Sprintf("%t_%t", several, recreate), func(t *testing.T) {
			setGate(t, "MaxUnavailableStatefulSet", several)
			if rules.StatefulSetRecreateStrategy != nil {
				setGate(t, "StatefulSetRecreateStrategy", recreate)
			}
			test(t, rules)
		})
	}
}

func setGate(t *testing.T, name string, isOn bool) {
	testkit.OK(t, utilfeature.DefaultMutableFeatureGate.Set(fmt.Sprintf("%s=%t", name, isOn)))
}

// TestStatefulSet compares one sync of any state.
func TestStatefulSet(t *testing.T) {
	withGates(t, func(t *testing.T, rules release.Rules) {
		rapid.Check(t, func(t *rapid.T) {
			r := newSetRevisions(t)
			r.compare(t, r.drawState(t), rules)
		})
	})
}

// TestStatefulSetRollout compares twenty syncs, after each of which pods are created and deleted, become ready or end, and
// some changes are made.
func TestStatefulSetRollout(t *testing.T) {
	withGates(t, func(t *testing.T, rules release.Rules) {
		rapid.Check(t, func(t *rapid.T) {
			r := newSetRevisions(t)
			s := r.drawState(t)
			s.set.DeletionTimestamp = nil
			for range 20 {
				done, current := r.compare(t, s, rules)
				s.set.Status.CurrentRevision = current
				s.carryOut(t, done)
				if rapid.IntRange(0, 9).Draw(t, "changes") == 0 {
					r.drawSpec(t, s.set)
				}
				clear(s.refused)
			}
		})
	})
}

// carryOut creates and deletes, and lets time pass.
func (s *setState) carryOut(t *rapid.T, done []string) {
	for name, p := range s.pods {
		if p.DeletionTimestamp != nil {
			delete(s.pods, name)
		}
	}
	for _, text := range done {
		words := strings.Fields(text)
		switch {
		case words[0] == "refused:":
		case words[0] == "delete":
			if p := s.pods[words[1]]; p != nil && rapid.IntRange(0, 3).Draw(t, "takes long") == 0 {
				p.DeletionTimestamp = &metav1.Time{}
			} else {
				delete(s.pods, words[1])
			}
		case len(words) == 3:
			s.pods[words[1]] = s.newPod(words[1], words[2])
		default:
			s.claims[words[1]] = true
		}
	}
	for ordinal := range 9 {
		p := s.pods[fmt.Sprint("db-", ordinal)]
		if p != nil && p.Status.Phase != corev1.PodFailed && p.Status.Phase != corev1.PodSucceeded && rapid.IntRange(0, 3).Draw(t, "changes") > 0 {
			wasDeleted := p.DeletionTimestamp
			p.Status = corev1.PodStatus{}
			s.drawStatus(t, p, rapid.IntRange(0, 4).Draw(t, "is ready now") > 0)
			p.DeletionTimestamp = wasDeleted
		}
	}
}
