package resourcelist

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// String returns a list on one line, sorted by name, each amount in its own format:
// cpu=500m,memory=1Gi. An empty list is "".
//
// It is the form of the messages of quotas, and of flags such as --requests of kubectl and
// --kube-reserved of the kubelet.
//
// Source: prettyPrint of k8s.io/apiserver/pkg/admission/plugin/resourcequota.
func String(list corev1.ResourceList) string {
	var b strings.Builder
	for i, name := range quantity.Names(list) {
		if i > 0 {
			b.WriteByte(',')
		}
		q := list[name]
		b.WriteString(string(name) + "=" + quantity.Text(&q))
	}
	return b.String()
}
