package answer

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

func TestSetAmount(t *testing.T) {
	const path = "spec.containers[1].resources.requests.cpu"
	for _, test := range []struct{ name, document, path, value, want string }{
		{"a brace and a blank alone", "{ ", path, "1", "{ "},
		{"block", "spec:\n  containers:\n  - name: a\n  - name: b # second\n    resources:\n      requests:\n        cpu: 1 # too much\n", path, "500m",
			"spec:\n  containers:\n  - name: a\n  - name: b # second\n    resources:\n      requests:\n        cpu: 500m # too much\n"},
		{"quoted", "spec:\n  containers:\n  - name: a\n  - resources:\n      requests:\n        cpu: \"1\"\n    name: b\n", path, "2",
			"spec:\n  containers:\n  - name: a\n  - resources:\n      requests:\n        cpu: \"2\"\n    name: b\n"},
		{"in single quotes", "spec:\n  cpu: '1'\n", "spec.cpu", "2", "spec:\n  cpu: \"2\"\n"},
		{"in single quotes, before a comment", "spec:\n  cpu: '1' # too little\n", "spec.cpu", "2", "spec:\n  cpu: \"2\" # too little\n"},
		{"in single quotes, in braces", "spec: {cpu: '1', memory: 1Gi}\n", "spec.cpu", "2", "spec: {cpu: \"2\", memory: 1Gi}\n"},
		{"a further resource", "spec:\n  containers:\n  - name: a\n  - name: b\n    resources:\n      requests:\n        memory: 1Gi\n      limits: {}\n", path, "500m",
			"spec:\n  containers:\n  - name: a\n  - name: b\n    resources:\n      requests:\n        cpu: 500m\n        memory: 1Gi\n      limits: {}\n"},
		{"a further resource, four columns farther in", "spec:\n    containers:\n    -   name: a\n    -   name: b\n        resources:\n            requests:\n                memory: 1Gi\n", path, "500m",
			"spec:\n    containers:\n    -   name: a\n    -   name: b\n        resources:\n            requests:\n                cpu: 500m\n                memory: 1Gi\n"},
		{"braces", "spec:\n  containers:\n  - name: a\n  - name: b\n    resources: {requests: {cpu: \"1\", memory: 1Gi}, limits: {cpu: 2}} # both\n", path, "875m",
			"spec:\n  containers:\n  - name: a\n  - name: b\n    resources: {requests: {cpu: \"875m\", memory: 1Gi}, limits: {cpu: 2}} # both\n"},
		{"a further one in braces", "spec:\n  containers:\n  - name: a\n  - name: b\n    resources: {limits: {cpu: 2}}\n", path, "1",
			"spec:\n  containers:\n  - name: a\n  - name: b\n    resources: {limits: {cpu: 2}, requests: {cpu: 1}}\n"},
		{"empty braces", "spec:\n  containers:\n  - name: a\n  - name: b\n    resources: {}\n", path, "1",
			"spec:\n  containers:\n  - name: a\n  - name: b\n    resources: {requests: {cpu: 1}}\n"},
		{"no resources", "spec:\n  containers:\n  - name: a\n  - name: b\n    image: c\n", path, "1",
			"spec:\n  containers:\n  - name: a\n  - resources: {requests: {cpu: 1}}\n    name: b\n    image: c\n"},
		{"a container in braces", "spec:\n  containers: [{name: a}, {name: 'b, {c', resources: {requests: {cpu: 2}}}]\n", path, "1",
			"spec:\n  containers: [{name: a}, {name: 'b, {c', resources: {requests: {cpu: 1}}}]\n"},
		{"several lines of braces", "spec:\n  containers: [\n    {name: a}, # first\n    {name: b}\n  ]\n", path, "1",
			"spec:\n  containers: [\n    {name: a}, # first\n    {name: b, resources: {requests: {cpu: 1}}}\n  ]\n"},
		{"JSON", `{"spec": {"containers": [{"name": "a"}, {"name": "b", "resources": {"requests": {"cpu": 1}}}]}}`, path, "500m",
			`{"spec": {"containers": [{"name": "a"}, {"name": "b", "resources": {"requests": {"cpu": "500m"}}}]}}`},
		{"a further one in JSON", `{"spec": {"containers": [{"name": "a"}, {"name": "b"}]}}`, path, "500m",
			`{"spec": {"containers": [{"name": "a"}, {"name": "b", "resources": {"requests": {"cpu": "500m"}}}]}}`},
		{"removed", "spec:\n  containers:\n  - name: a\n  - name: b\n    resources:\n      requests:\n        cpu: 1\n        memory: 1Gi\n", path, "",
			"spec:\n  containers:\n  - name: a\n  - name: b\n    resources:\n      requests:\n        memory: 1Gi\n"},
		{"removed in braces", "spec:\n  containers:\n  - name: a\n  - name: b\n    resources: {requests: {memory: 1Gi, cpu: 1}}\n", path, "",
			"spec:\n  containers:\n  - name: a\n  - name: b\n    resources: {requests: {memory: 1Gi}}\n"},
		{"the first is removed", "spec:\n  containers:\n  - name: a\n  - name: b\n    resources: {requests: {cpu: 1, memory: 1Gi}}\n", path, "",
			"spec:\n  containers:\n  - name: a\n  - name: b\n    resources: {requests: {memory: 1Gi}}\n"},
		{"behind a list that begins where its key does", "spec:\n  containers:\n  - name: a\n  resources:\n    requests:\n      cpu: 1\n", "spec.resources.requests.cpu", "2",
			"spec:\n  containers:\n  - name: a\n  resources:\n    requests:\n      cpu: 2\n"},
		{"without a line end", "spec:\n  cpu: 1", "spec.cpu", "2", "spec:\n  cpu: 2"},
		{"the last key", "spec:\n", "spec.cpu", "2", "spec:\n  cpu: 2\n"},
		{"a comment for a value", "spec:\n  cpu: # none\n", "spec.cpu", "2", "spec:\n  cpu: 2 # none\n"},
		{"no value", "spec:\n  cpu:\n", "spec.cpu", "2", "spec:\n  cpu: 2\n"},
		{"a quoted brace", "spec: {name: \"}, cpu: 3\", cpu: 1}\n", "spec.cpu", "2", "spec: {name: \"}, cpu: 3\", cpu: 2}\n"},
		{"not there", "kind: Pod\n", path, "1", "kind: Pod\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, setAmount(test.document, stepsOf(test.path), test.value), test.want)
		})
	}
}

// Whatever the text, nothing panics, and what is written once is not written twice.
func FuzzSetAmount(f *testing.F) {
	f.Add("spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}", "2")
	f.Add("spec:\n  containers:\n  -\n    name: a\n", "")
	f.Add("{\"spec\": [\"", "1")
	f.Add("a: {", "1") // and nothing more
	f.Add("a: {b: 1, ", "1")
	f.Fuzz(func(t *testing.T, document, value string) {
		for _, path := range []string{"spec.containers[0].resources.limits.cpu", "a", "0.0"} {
			once := setAmount(document, stepsOf(path), "250m")
			if twice := setAmount(once, stepsOf(path), "250m"); strings.Count(twice, "250m") > strings.Count(once, "250m")+strings.Count(document, "250m")+1 {
				t.Errorf("%q becomes %q, and then %q", document, once, twice)
			}
			setAmount(document, stepsOf(path), value) // does not panic
		}
	})
}
