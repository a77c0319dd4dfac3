package quantity_test

import (
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Looking for doubts in a pod of a cluster makes little garbage, because a cluster has very many, and no garbage for each byte of data.
func TestDoubtsAllocateLittle(t *testing.T) {
	var pod corev1.Pod
	testkit.OK(t, json.Unmarshal([]byte(golden.Pod(1)), &pod))
	if n := testing.AllocsPerRun(10, func() { quantity.Doubts(&pod) }); n > 100 {
		t.Errorf("%.0f allocations", n)
	}
	data := struct{ Raw []byte }{make([]byte, 1000)}
	if n := testing.AllocsPerRun(10, func() { quantity.Doubts(&data) }); n > 20 {
		t.Errorf("%.0f allocations for data", n)
	}
}
