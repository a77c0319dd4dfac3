package main

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/kubemath/kubemath/quota/admit"
)

// namespace is one case: the steps so far, and the expected objects.
type namespace struct {
	*world
	t     *rapid.T
	name  string
	tally tally

	quotas []*corev1.ResourceQuota // with the usage that they should have
	// All others as the server has stored them.
	ranges   []*corev1.LimitRange
	pods     []*corev1.Pod
	claims   []*corev1.PersistentVolumeClaim
	services []*corev1.Service
	devices  []*resourcev1.ResourceClaim
	counted  []admit.APIObject // of the resources that are only counted

	manifests []string // what has been done, as YAML
	made      int      // objects, to name the next one

	difference string // of the server from kubemath
	broken     error  // what kept the server from answering
}

// tally counts what was compared: kind, then outcome.
type tally map[string]map[string]int

func (c tally) add(kind, outcome string, n int) {
	if c[kind] == nil {
		c[kind] = map[string]int{}
	}
	c[kind][outcome] += n
}

// The texts have to be the same each time, or rapid treats them as different failures.
const (
	differs = "the server and kubemath differ"
	broke   = "the server does not answer"
)

// differ ends the case with a difference.
func (n *namespace) differ(format string, args ...any) {
	n.difference = fmt.Sprintf(format, args...)
	n.t.Fatalf(differs)
}

// must ends the case on an error that is not an answer of the server.
func (n *namespace) must(err error) {
	if err != nil {
		n.broken = err
		n.t.Fatalf(broke)
	}
}

// path is where objects of a kind, or one of them, are.
func (n *namespace) path(group string, rest ...string) string {
	return group + "/namespaces/" + n.name + "/" + strings.Join(rest, "/")
}

// The groups of resources, as paths.
const (
	coreGroup   = "/api/v1"
	deviceGroup = "/apis/resource.k8s.io/v1"
)

// next names a new object.
func (n *namespace) next(prefix string) metav1.ObjectMeta {
	n.made++
	return metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", prefix, n.made), Namespace: n.name}
}

// say records a manifest and the operation on it.
func (n *namespace) say(what string, object any) {
	n.manifests = append(n.manifests, manifest(what, object))
}

// added are the fields that the server fills in and that have nothing to do with resources.
var added = []string{
	"managedFields", "uid", "resourceVersion", "creationTimestamp", "generation", "namespace", "observedGeneration",
	"dnsPolicy", "enableServiceLinks", "preemptionPolicy", "priority", "schedulerName", "securityContext", "terminationGracePeriodSeconds", "tolerations",
	"imagePullPolicy", "terminationMessagePath", "terminationMessagePolicy",
	"clusterIP", "clusterIPs", "internalTrafficPolicy", "externalTrafficPolicy", "ipFamilies", "ipFamilyPolicy", "sessionAffinity",
}

// manifest is an object as YAML, without what the server adds.
func manifest(what string, object any) string {
	text, err := json.Marshal(object)
	if err != nil {
		return err.Error()
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err.Error()
	}
	prune(tree)
	out, err := yaml.Marshal(tree)
	if err != nil {
		return err.Error()
	}
	return "# " + what + "\n" + string(out)
}

// prune removes what is added, and empty statuses.
func prune(tree any) {
	switch tree := tree.(type) {
	case []any:
		for _, item := range tree {
			prune(item)
		}
	case map[string]any:
		for _, name := range added {
			delete(tree, name)
		}
		if status, is := tree["status"].(map[string]any); is && len(status) == 0 {
			delete(tree, "status")
		}
		for _, item := range tree {
			prune(item)
		}
	}
}

// answer reads the server's.
func (n *namespace) answer(err error, object any) answer {
	a, err := answerOf(err, object)
	n.must(err)
	return a
}

// pick draws one of the existing objects.
func pick[T any](t *rapid.T, label string, all []T) T {
	return all[rapid.IntRange(0, len(all)-1).Draw(t, label)]
}

// once draws true once in so many times.
func once(t *rapid.T, label string, in int) bool { return rapid.IntRange(1, in).Draw(t, label) == in }
