package quantity_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestParse(t *testing.T) {
	zeros := func(n int) string { return strings.Repeat("0", n) }
	for text, want := range map[string]string{
		"1":                      "1",
		" 500m\n":                "500m",
		"1.500":                  "1500m",
		"-2Gi":                   "-2Gi",
		"1e36":                   "1e36",
		"-1e36":                  "-1e36",
		"1e-40":                  "1e-9", // as the API server rounds it up
		"0e40":                   "0",
		zeros(99) + "1":          "1",
		"1e37":                   `"1e37" is out of range`,
		"-1e37":                  `"-1e37" is out of range`,
		"2e36":                   `"2e36" is out of range`,
		"0e41":                   `"0e41" is out of range`,
		"1E-41":                  `"1E-41" is out of range`,
		"1e" + zeros(30):         "1",
		"1e99999999999999999999": `"1e99999999999999999999" is out of range`,
		zeros(100) + "1":         `"00000000000000000000"... is out of range`,
		"":                       `"" is not a quantity such as 500m or 2Gi`,
		"2GiB":                   `"2GiB" is not a quantity such as 500m or 2Gi`,
	} {
		q, err := quantity.Parse(text)
		got := quantity.Canonical(q)
		if err != nil {
			got = err.Error()
		}
		testkit.Equal(t, got, want, text)
	}
}

// The caller's quantity remains as it is: its format, and the text that it was parsed from.
func TestCanonicalReadsOnly(t *testing.T) {
	big := resource.MustParse("1.500e30")
	testkit.Equal(t, quantity.Canonical(big), "1500e27")
	big.Format = resource.DecimalSI
	shared := big
	if got := quantity.Canonical(big); got != "1500e27" || big.Format != resource.DecimalSI || big.Cmp(shared) != 0 {
		t.Errorf("%s in %s", got, big.Format)
	}
	for text, want := range map[string]string{"1024Mi": "1Gi", "1.500": "1500m", "0.5Gi": "512Mi", "1000": "1k", "-1500m": "-1500m", "999e18": "999e18", "20E": "20E", "-20E": "-20E"} {
		testkit.Equal(t, quantity.Canonical(resource.MustParse(text)), want, text)
	}
}

// An amount next to another is in its units.
func TestShortLike(t *testing.T) {
	for _, test := range []struct{ q, like, want string }{
		{"1Gi", "1Gi", "1Gi"},
		{"1G", "1Gi", "954Mi"},
		{"1Gi", "1G", "1.1G"},
		{"512Mi", "100G", "537M"},
		{"1500m", "2", "1500m"},
	} {
		testkit.Equal(t, quantity.ShortLike(resource.MustParse(test.q), resource.MustParse(test.like)), test.want, test.q, "like", test.like)
	}
}

// A rounded amount has the format in which people write it, whatever the format of the input, and never becomes zero.
func TestRoundedFormats(t *testing.T) {
	for _, test := range []struct {
		name   corev1.ResourceName
		q      string
		want   string
		format resource.Format
	}{
		{"cpu", "2664m", "2650m", resource.DecimalSI},
		{"cpu", "2664e-3", "2650m", resource.DecimalSI},
		{"cpu", "1Ki", "1024", resource.DecimalSI},
		{"memory", "1048577", "1Mi", resource.BinarySI},
		{"memory", "100M", "80Mi", resource.BinarySI},
		{"memory", "-3Gi", "-3Gi", resource.BinarySI},
		{"pods", "101", "101", resource.DecimalSI},
	} {
		got := quantity.Round(test.name, resource.MustParse(test.q), false)
		if text := quantity.Canonical(got); text != test.want || got.Format != test.format {
			t.Errorf("%s %s: %s in %s, want %s in %s", test.name, test.q, text, got.Format, test.want, test.format)
		}
	}
}

// Errors are at the path of the amount; what does not match the type is left to the decoder.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		manifest string
		want     []string
	}{
		{`{}`, nil},
		{`[]`, nil},
		{`{"spec": []}`, nil},
		{`{"spec": {"containers": {}}}`, nil},
		{`{"spec": {"containers": [3, {"resources": {"limits": {"cpu": 1, "memory": "1Gi", "pods": null}}}]}}`, nil},
		{`{"spec": {"containers": [{}, {"resources": {"limits": {"memory": "2GiB", "cpu": "x"}, "requests": {"cpu": {}}}}]}}`, []string{
			`spec.containers[1].resources.limits[cpu]: Invalid value: "x": "x" is not a quantity such as 500m or 2Gi`,
			`spec.containers[1].resources.limits[memory]: Invalid value: "2GiB": "2GiB" is not a quantity such as 500m or 2Gi`,
			`spec.containers[1].resources.requests[cpu]: Invalid value: {}: want a quantity such as 500m or 2Gi, not a mapping`,
		}},
		{`{"spec": {"overhead": {"cpu": true, "memory": []}}}`, []string{
			`spec.overhead[cpu]: Invalid value: true: want a quantity such as 500m or 2Gi, not true`,
			`spec.overhead[memory]: Invalid value: []: want a quantity such as 500m or 2Gi, not a list`,
		}},
		// The decoder accepts a negative amount anywhere, and the API server rejects it here.
		{`{"spec": {"containers": [{"resources": {"limits": {"cpu": -1}}}], "resources": {"limits": {"cpu": "-2"}}}}`, nil},
		{`{"spec": {"overhead": {"cpu": -1}}}`, []string{`spec.overhead[cpu]: Invalid value: -1: -1 is negative`}},
		{`{"spec": {"overhead": {"cpu": "-0"}}}`, nil},
		{`{"spec": {"volumes": [{"emptyDir": {"sizeLimit": "-1Gi"}}]}}`, []string{
			`spec.volumes[0].emptyDir.sizeLimit: Invalid value: "-1Gi": -1Gi is negative`,
		}},
		{`{"spec": {"volumes": [{"emptyDir": {"sizeLimit": "1Gi"}}]}}`, nil},
	} {
		testkit.NoDiff(t, errorsOf[corev1.Pod](t, test.manifest), test.want, test.manifest)
	}
	for name, got := range map[string][]string{
		"LimitRange": errorsOf[corev1.LimitRange](t, `{"spec": {"limits": [{"max": {"cpu": -1}, "maxLimitRequestRatio": {"cpu": "-2"}}]}}`),
		"quota":      errorsOf[corev1.ResourceQuota](t, `{"spec": {"hard": {"cpu": -1}}, "status": {"used": {"cpu": -1}}}`),
		"claim":      errorsOf[corev1.PersistentVolumeClaim](t, `{"spec": {"resources": {"requests": {"storage": "3Gi"}}}}`),
	} {
		if got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func errorsOf[T any](t *testing.T, text string) (messages []string) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var tree any
	testkit.OK(t, decoder.Decode(&tree))
	for _, err := range quantity.Errors(reflect.TypeFor[*T](), tree) {
		messages = append(messages, err.Error())
	}
	return messages
}

// Amounts that are valid, but probably mistakes.
func TestDoubts(t *testing.T) {
	const cpus, fraction, suffix = " is a number of CPUs: suffixes such as Gi are for memory",
		" is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi", " is a number of bytes: is a suffix such as Mi missing?"
	for _, test := range []struct {
		name corev1.ResourceName
		q    string
		want string
	}{
		{"cpu", "4Gi", "4Gi" + cpus},
		{"cpu", "1Ki", "1Ki" + cpus},
		{"cpu", "0Gi", ""},
		{"cpu", "1048576", "1048576" + cpus},
		{"cpu", "1048575", ""},
		{"cpu", "512m", ""},
		{"requests.cpu", "4Gi", "4Gi" + cpus},
		{"limits.cpu", "4Gi", "4Gi" + cpus},
		{"memory", "512m", "512m" + fraction},
		{"limits.memory", "1500m", "1500m" + fraction},
		{"memory", "512", "512" + suffix},
		{"memory", "1023", "1023" + suffix},
		{"memory", "1Ki", ""},
		{"memory", "0", ""},
		{"memory", "-1", ""},
		{"requests.storage", "1", ""},
		{"storage", "100m", "100m" + fraction},
		{"ephemeral-storage", "100m", "100m" + fraction},
		{"requests.ephemeral-storage", "1", ""},
		{"hugepages-2Mi", "100m", "100m" + fraction},
		{"requests.hugepages-1Gi", "2Gi", ""},
		{"my-hugepages-2Mi", "100m", ""},
		{"nvidia.com/gpu", "100m", ""},
		{"pods", "4Gi", ""},
	} {
		item := corev1.LimitRangeItem{Max: corev1.ResourceList{test.name: resource.MustParse(test.q)}}
		var want []string
		if test.want != "" {
			want = []string{`spec.limits[0].max[` + string(test.name) + `]: Invalid value: null: ` + test.want}
		}
		var got []string
		for _, err := range quantity.Doubts(&corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}}) {
			got = append(got, err.Error())
		}
		testkit.NoDiff(t, got, want, test.name, test.q)
	}
}

// untagged has fields without tags, whose names in manifests begin in lower case, and those of a part.
type untagged struct{ StepSpecs []step }

type step struct{ Of }

type Of struct{ ComputeResources corev1.ResourceRequirements }

// Doubts are about each amount that a user writes, by name: not about ratios, and not about a status.
func TestDoubtsWhere(t *testing.T) {
	amounts := func() corev1.ResourceList {
		return corev1.ResourceList{"memory": resource.MustParse("5m"), "cpu": resource.MustParse("1Gi")}
	}
	both := corev1.ResourceRequirements{Requests: amounts(), Limits: amounts()}
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{{}, {Resources: both}}, InitContainers: []corev1.Container{{Resources: both}},
		Resources: &both, Overhead: amounts(),
	}, Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{AllocatedResources: amounts()}}}}
	ranges := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{
		Max: amounts(), Min: amounts(), Default: amounts(), DefaultRequest: amounts(), MaxLimitRequestRatio: amounts()}}}}
	for name, test := range map[string]struct {
		object any
		paths  []string
	}{
		"Pod": {pod, []string{
			"spec.initContainers[0].resources.limits", "spec.initContainers[0].resources.requests",
			"spec.containers[1].resources.limits", "spec.containers[1].resources.requests",
			"spec.overhead", "spec.resources.limits", "spec.resources.requests"}},
		"LimitRange":    {ranges, []string{"spec.limits[0].max", "spec.limits[0].min", "spec.limits[0].default", "spec.limits[0].defaultRequest"}},
		"ResourceQuota": {&corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: amounts()}, Status: corev1.ResourceQuotaStatus{Used: amounts()}}, []string{"spec.hard"}},
		"nil":           {(*corev1.Pod)(nil), nil},
		"untagged":      {&untagged{StepSpecs: []step{{Of: Of{ComputeResources: corev1.ResourceRequirements{Limits: amounts()}}}}}, []string{"stepSpecs[0].computeResources.limits"}},
		"ConfigMap":     {&corev1.ConfigMap{Data: map[string]string{"memory": "5m"}}, nil},
	} {
		var want, got []string
		for _, path := range test.paths {
			want = append(want, path+"[cpu]", path+"[memory]")
		}
		for _, err := range quantity.Doubts(test.object) {
			got = append(got, err.Field)
		}
		testkit.NoDiff(t, got, want, name)
	}
}

// Which amounts a node may have.
func TestOfNode(t *testing.T) {
	for text, want := range map[string]string{
		"1m": "", "9007199254740992": "", "9007199254740993": "too large for a node", "0": "must be positive", "-1": "must be positive",
		"1x": `"1x" is not a quantity such as 500m or 2Gi`,
	} {
		q, err := quantity.OfNode(text)
		testkit.Equal(t, strings.TrimPrefix(fmt.Sprint(err), "<nil>"), want, text)
		if (q == nil) != (err != nil) || q != nil && q.String() != text {
			t.Errorf("%s: %v", text, q)
		}
	}
}
