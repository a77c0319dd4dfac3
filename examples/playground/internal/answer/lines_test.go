package answer

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

func TestFieldLine(t *testing.T) {
	const file = `# one
---
# two
kind: Pod
spec:
  containers:
  - name: a
    resources:
      limits: {cpu: 1}
  - name: b
---
kind: Pod
spec: {containers: [{name: a}]}
---
{"kind": "Pod",
 "spec": {}}
---
kind: Pod
...
spec: {}
`
	for _, test := range []struct {
		begins int
		field  string
		want   int
	}{
		{4, "", 4},
		{4, "kind", 4},
		{4, "spec.containers[0].resources.limits", 9},
		{4, "spec.containers[0].resources.limits[cpu]", 9},
		{4, "spec.containers[0].resources.requests[cpu]", 8},
		{4, "spec.containers[1].resources", 10},
		{4, "spec.containers[2]", 6},
		{4, "status", 4},
		{12, "spec.containers[0].name", 13},
		{15, "metadata.name", 15},
		{18, "spec", 18},
		{99, "spec", 99},
		{0, "spec", 0},
	} {
		testkit.Equal(t, fieldLine(file, test.begins, test.field), test.want, test.field, "of line", test.begins, "line")
	}
}
