package criticalpod_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/criticalpod"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestIs(t *testing.T) {
	priority := func(n int32) *int32 { return &n }
	tests := []struct {
		name        string
		annotations map[string]string
		priority    *int32
		want        bool
	}{
		{"an ordinary pod", nil, nil, false},
		{"priority of a user", nil, priority(1_999_999_999), false},
		{"least priority of the system", nil, priority(2_000_000_000), true},
		{"more priority of the system", nil, priority(2_000_001_000), true},
		{"greatest priority", nil, priority(math.MaxInt32), true},
		{"negative priority", nil, priority(math.MinInt32), false},
		{"from the API server", map[string]string{"kubernetes.io/config.source": "api"}, nil, false},
		{"from a file", map[string]string{"kubernetes.io/config.source": "file"}, nil, true},
		{"from a source without a name", map[string]string{"kubernetes.io/config.source": ""}, nil, true},
		{"mirror", map[string]string{"kubernetes.io/config.mirror": ""}, nil, true},
		{"mirror from the API server", map[string]string{"kubernetes.io/config.mirror": "x", "kubernetes.io/config.source": "api"}, nil, true},
		{"static, of little priority", map[string]string{"kubernetes.io/config.source": "http"}, priority(0), true},
		{"another annotation", map[string]string{"kubernetes.io/config.seen": "file"}, nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: test.annotations}, Spec: corev1.PodSpec{Priority: test.priority}}
			for class, ofNode := range map[string]bool{"": false, "system-cluster-critical": false, "system-node-critical": test.want} {
				pod.Spec.PriorityClassName = class
				testkit.Equal(t, criticalpod.Is(pod), test.want, "of class", class, "Is")
				testkit.Equal(t, criticalpod.IsOfNode(pod), ofNode, "of class", class, "IsOfNode")
			}
		})
	}
}
