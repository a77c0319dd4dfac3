package cgroupname_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestUIDOf(t *testing.T) {
	const (
		hash   = "kubernetes.io/config.hash"
		mirror = "kubernetes.io/config.mirror"
		source = "kubernetes.io/config.source"
	)
	type annotations = map[string]string
	for _, test := range []struct {
		name        string
		annotations annotations
		uid, want   types.UID
	}{
		{"an ordinary pod", nil, "1-2", "1-2"},
		{"a pod without a UID", nil, "", ""},
		{"a mirror pod", annotations{hash: "0123456789abcdef", mirror: "0123456789abcdef", source: "file"}, "1-2", "0123456789abcdef"},
		{"a mirror pod without a UID", annotations{hash: "0123456789abcdef", mirror: "0123456789abcdef"}, "", "0123456789abcdef"},
		{"a mirror pod whose annotations differ", annotations{hash: "a", mirror: "b"}, "1-2", "a"},
		{"a mirror pod with an empty mirror annotation", annotations{hash: "a", mirror: ""}, "1-2", "a"},
		{"a mirror pod without a hash", annotations{mirror: "b"}, "1-2", "1-2"},
		{"a mirror pod with an empty hash", annotations{hash: "", mirror: "b"}, "1-2", "1-2"},
		{"a static pod, read from the kubelet", annotations{hash: "a", source: "file"}, "a", "a"},
		{"an ordinary pod with the annotation of a static one", annotations{hash: "a", source: "api"}, "1-2", "1-2"},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: test.uid, Annotations: test.annotations}}
		testkit.Equal(t, cgroupname.UIDOf(pod), test.want, test.name)
		testkit.Contract(t, func() any { return cgroupname.UIDOf(pod) }, pod)
	}
	testkit.Equal(t, cgroupname.UIDOf(nil), "", "nil")
}
