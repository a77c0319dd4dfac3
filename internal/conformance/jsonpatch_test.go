package conformance

import (
	"encoding/json"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The library with which the API server applies the patches of webhooks makes of a pod what ApplyChanges makes
// of its spec.
func TestJSONPatchIsAppliedByTheServer(t *testing.T) {
	pods := testkit.PodWith(testkit.Ordinary())
	for seed := range 500 {
		pod := &corev1.Pod{Spec: pods.Example(seed).Spec}
		want := pod.DeepCopy()
		changes := computeresources.ApplyRequestDefaults(&want.Spec, kubernetes)
		for ref, c := range computeresources.Containers(&want.Spec) {
			for name, q := range c.Resources.Limits { // removes some amounts, and changes others
				change := computeresources.Change{Ref: ref, List: computeresources.Limits, Resource: name}
				if len(name)%2 == 0 {
					q.Add(q)
					change.To = &q
				}
				changes = append(changes, change)
			}
		}
		want = pod.DeepCopy()
		testkit.OK(t, computeresources.ApplyChanges(&want.Spec, changes))
		text, err := computeresources.JSONPatch(&pod.Spec, changes, nil)
		testkit.OK(t, err)
		patch, err := jsonpatch.DecodePatch(text)
		testkit.OK(t, err)
		document, err := json.Marshal(pod)
		testkit.OK(t, err)
		document, err = patch.Apply(document)
		testkit.OK(t, err)
		got := &corev1.Pod{}
		testkit.OK(t, json.Unmarshal(document, got))
		testkit.NoDiff(t, testkit.Fingerprint(testkit.WithNil(got)), testkit.Fingerprint(testkit.WithNil(testkit.Patched(t, want, []byte("[]")))), "pod", seed, string(text))
		testkit.NoDiff(t, testkit.Fingerprint(testkit.WithNil(testkit.Patched(t, pod, text))), testkit.Fingerprint(testkit.WithNil(got)), "pod", seed)
	}
}
