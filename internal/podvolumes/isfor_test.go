package podvolumes_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestIsFor(t *testing.T) {
	for name, test := range map[string]struct {
		ref  *corev1.ObjectReference
		want bool // for claim data of namespace default and UID 1; and without both
		bare bool
	}{
		"none":              {nil, false, false},
		"its name":          {&corev1.ObjectReference{Name: "data"}, true, true},
		"its namespace":     {&corev1.ObjectReference{Namespace: "default", Name: "data"}, true, true},
		"its UID":           {&corev1.ObjectReference{Name: "data", UID: "1"}, true, false},
		"another name":      {&corev1.ObjectReference{Name: "log"}, false, false},
		"another namespace": {&corev1.ObjectReference{Namespace: "shop", Name: "data"}, false, false},
		"another UID":       {&corev1.ObjectReference{Name: "data", UID: "2"}, false, false},
	} {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "data", UID: "1"}}
		testkit.Equal(t, podvolumes.IsFor(test.ref, claim), test.want, name)
		claim.Namespace, claim.UID = "", ""
		testkit.Equal(t, podvolumes.IsFor(test.ref, claim), test.bare, name)
	}
}
