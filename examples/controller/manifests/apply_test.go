package manifests_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/kubemath/kubemath/examples/controller/manifests"
)

const two = `# One namespace.
apiVersion: v1
kind: Namespace
metadata: {name: a, labels: {team: sun}}
---
# Nothing.
---
apiVersion: v1
kind: Namespace
metadata: {name: b}
`

func TestApply(t *testing.T) {
	c := fake.NewClientBuilder().WithScheme(clientgoscheme.Scheme).Build()
	for range 2 { // The second time, they are there.
		if err := manifests.Apply(t.Context(), c, two); err != nil {
			t.Fatal(err)
		}
	}
	for name, team := range map[string]string{"a": "sun", "b": ""} {
		namespace := &corev1.Namespace{}
		if err := c.Get(t.Context(), types.NamespacedName{Name: name}, namespace); err != nil || namespace.Labels["team"] != team {
			t.Errorf("%v, %v", namespace, err)
		}
	}
}

// A kind that has just been defined is waited for. Anything else is an error.
func TestApplyWaits(t *testing.T) {
	var answers []error
	c := interceptor.NewClient(fake.NewClientBuilder().WithScheme(clientgoscheme.Scheme).Build(), interceptor.Funcs{
		Apply: func(context.Context, client.WithWatch, runtime.ApplyConfiguration, ...client.ApplyOption) error {
			answer := answers[0]
			answers = answers[1:]
			return answer
		},
	})
	answers = []error{&meta.NoKindMatchError{}, nil, nil}
	if err := manifests.Apply(t.Context(), c, two); err != nil || len(answers) > 0 {
		t.Errorf("%v, left: %v", err, answers)
	}
	answers = []error{nil, errors.New("no luck")}
	if err := manifests.Apply(t.Context(), c, two); err == nil || err.Error() != "Namespace b: no luck" {
		t.Errorf("%v", err)
	}
	if err := manifests.Apply(t.Context(), c, "a: b: c"); err == nil || !strings.Contains(err.Error(), "yaml") {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	answers = []error{&meta.NoKindMatchError{}}
	err := manifests.Apply(ended, c, two)
	if unknown := (*meta.NoKindMatchError)(nil); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
}
