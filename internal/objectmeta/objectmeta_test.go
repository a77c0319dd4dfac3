package objectmeta_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/objectmeta"
	"github.com/kubemath/kubemath/internal/testkit"
)

const isName = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
	"alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

func texts(errs field.ErrorList) (all []string) {
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

// The fields come in the order of the server, and what is in maps by message.
func TestOrder(t *testing.T) {
	names := map[string]string{"-c": "", "-a": "", "fine": "", "-b": ""}
	meta := metav1.ObjectMeta{Namespace: "shop", Labels: names, Annotations: names}
	var want []string
	for _, of := range []string{"labels", "annotations"} {
		for _, name := range []string{"-a", "-b", "-c"} {
			want = append(want, `metadata.`+of+`: Invalid value: "`+name+`": `+isName)
		}
	}
	created := append([]string{"metadata.name: Required value: name or generateName is required"}, want...)
	updated := append([]string{`metadata.resourceVersion: Invalid value: "": must be specified for an update`,
		`metadata.namespace: Invalid value: "shop": field is immutable`}, want...)
	before := testkit.Fingerprint(meta)
	for range 20 {
		testkit.NoDiff(t, texts(objectmeta.Validate(&meta)), created)
		testkit.NoDiff(t, texts(objectmeta.ValidateUpdate(&meta, &metav1.ObjectMeta{Namespace: "other"})), updated)
	}
	testkit.Equal(t, testkit.Fingerprint(meta), before)
}
