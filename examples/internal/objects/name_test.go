package objects_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestRejectedName(t *testing.T) {
	for _, test := range []struct{ name, prefix, want string }{
		{"web-1.example", "", ""},
		{"", "", ""}, // which is missing, and not wrong
		{"Web", "", `metadata.name: "Web"`},
		{"vttablet-{{uid}}", "", `metadata.name: "vttablet-{{uid}}"`},
		{"web-", "", `metadata.name: "web-"`},
		{"", "web-", ""},
		{"", "Web-", `metadata.generateName: "Web-"`},
		{"web", "Web-", ""}, // the prefix does not count
		{strings.Repeat("a", 254), "", `metadata.name: "` + strings.Repeat("a", 254) + `"`},
	} {
		got := ""
		for _, err := range objects.RejectedName(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: test.name, GenerateName: test.prefix}}) {
			got += err.Field + `: "` + err.BadValue.(string) + `"`
		}
		testkit.Equal(t, got, test.want, test.name, test.prefix)
	}
}
