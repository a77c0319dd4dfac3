package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

func TestValidateObject(t *testing.T) {
	tests := []struct {
		name  string
		items []corev1.LimitRangeItem
		want  []string
	}{
		{"nothing", nil, nil},
		{"all values equal", []corev1.LimitRangeItem{{
			Type: container, Min: list("cpu", "1"), Max: list("cpu", "1"), Default: list("cpu", "1"), DefaultRequest: list("cpu", "1"), MaxLimitRequestRatio: list("cpu", "1"),
		}}, nil},
		{"all types", []corev1.LimitRangeItem{
			{Type: container, Max: list("example.com/gpu", "1", "hugepages-2Mi", "4Mi")}, {Type: pod, Max: list("cpu", "1")},
			{Type: claim, Min: list("storage", "1")}, {Type: "example.com/Other", Max: list("pods", "1")},
		}, nil},
		{"negative amounts", []corev1.LimitRangeItem{{Type: pod, Min: list("cpu", "-2"), Max: list("cpu", "-1")}}, nil},
		{"the second of two items of a type", []corev1.LimitRangeItem{{Type: container}, {Type: container}}, []string{`spec.limits[1].type: Duplicate value: "Container"`}},
		{"types", []corev1.LimitRangeItem{{Type: container}, {Type: "Node"}, {Type: container}, {Type: ""}, {Type: "a b"}}, []string{
			`spec.limits[1].type: Invalid value: "Node": must be a standard limit type or fully qualified`,
			`spec.limits[2].type: Duplicate value: "Container"`,
			`spec.limits[3].type: Invalid value: "": name part must be non-empty`,
			`spec.limits[3].type: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.limits[4].type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		}},
		{"names", []corev1.LimitRangeItem{
			{Type: container, Max: list("storage", "1"), Min: list("x", "1"), Default: list("pods", "1"), DefaultRequest: list("requests.example.com/x", "1"), MaxLimitRequestRatio: list("y", "1")},
			{Type: claim, Max: list("storage", "1", "x", "1"), Min: list("pods", "1"), Default: list("z", "1"), DefaultRequest: list("z", "1"), MaxLimitRequestRatio: list("z", "1")},
			{Type: pod, Max: list("storage", "1")},
		}, []string{
			`spec.limits[0].max[storage]: Invalid value: "storage": must be a standard resource for containers`,
			`spec.limits[0].min[x]: Invalid value: "x": must be a standard resource type or fully qualified`,
			`spec.limits[0].min[x]: Invalid value: "x": must be a standard resource for containers`,
			`spec.limits[0].default[pods]: Invalid value: "pods": must be a standard resource for containers`,
			`spec.limits[0].defaultRequest[requests.example.com/x]: Invalid value: "requests.example.com/x": doesn't follow extended resource name standard`,
			`spec.limits[0].maxLimitRequestRatio[y]: Invalid value: "y": must be a standard resource type or fully qualified`,
			`spec.limits[0].maxLimitRequestRatio[y]: Invalid value: "y": must be a standard resource for containers`,
			`spec.limits[1].max[x]: Invalid value: "x": must be a standard resource type or fully qualified`,
			`spec.limits[1].default[z]: Invalid value: "z": must be a standard resource type or fully qualified`,
			`spec.limits[1].defaultRequest[z]: Invalid value: "z": must be a standard resource type or fully qualified`,
			`spec.limits[1].maxLimitRequestRatio[z]: Invalid value: "z": must be a standard resource type or fully qualified`,
			`spec.limits[2].max[storage]: Invalid value: "storage": must be a standard resource for containers`,
		}},
		{"defaults of pods", []corev1.LimitRangeItem{{Type: pod, Default: list("cpu", "1", "x", "1"), DefaultRequest: list("cpu", "2"), Max: list("cpu", "1")}}, []string{
			"spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
			"spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
		}},
		{"claims without storage", []corev1.LimitRangeItem{{Type: claim, Max: list("example.com/iops", "1")}}, []string{
			"spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided",
		}},
		{"claims with a maximum", []corev1.LimitRangeItem{{Type: claim, Max: list("storage", "1")}}, nil},
		{"the wrong order", []corev1.LimitRangeItem{
			{Type: container, Min: list("cpu", "3", "memory", "1001m"), Max: list("cpu", "1", "memory", "1"), Default: list("cpu", "2"), DefaultRequest: list("cpu", "2500m")},
			{Type: pod, Min: list("cpu", "3"), Max: list("cpu", "1")},
		}, []string{
			`spec.limits[0].min[cpu]: Invalid value: "3": min value 3 is greater than max value 1`,
			`spec.limits[0].defaultRequest[cpu]: Invalid value: "2500m": min value 3 is greater than default request value 2500m`,
			`spec.limits[0].defaultRequest[cpu]: Invalid value: "2500m": default request value 2500m is greater than max value 1`,
			`spec.limits[0].defaultRequest[cpu]: Invalid value: "2500m": default request value 2500m is greater than default limit value 2`,
			`spec.limits[0].default[cpu]: Invalid value: "3": min value 3 is greater than default value 2`,
			`spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1`,
			`spec.limits[0].min[memory]: Invalid value: "1001m": min value 1001m is greater than max value 1`,
			`spec.limits[1].min[cpu]: Invalid value: "3": min value 3 is greater than max value 1`,
		}},
		{"ratio below 1", []corev1.LimitRangeItem{{Type: container, MaxLimitRequestRatio: list("cpu", "999m")}}, []string{
			`spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "999m": ratio 999m is less than 1`,
		}},
		{"ratio above max/min", []corev1.LimitRangeItem{{Type: pod, Min: list("cpu", "2"), Max: list("cpu", "3"), MaxLimitRequestRatio: list("cpu", "1501m")}}, []string{
			`spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "1501m": ratio 1501m is greater than max/min = 1.500000`,
		}},
		{"ratio at max/min", []corev1.LimitRangeItem{{Type: pod, Min: list("cpu", "2"), Max: list("cpu", "3"), MaxLimitRequestRatio: list("cpu", "1500m")}}, nil},
		{"ratio with a minimum of zero", []corev1.LimitRangeItem{{Type: pod, Min: list("cpu", "0"), Max: list("cpu", "3"), MaxLimitRequestRatio: list("cpu", "5")}}, nil},
		{"ratio with one bound", []corev1.LimitRangeItem{{Type: pod, Max: list("cpu", "3"), MaxLimitRequestRatio: list("cpu", "5")}, {Type: container, Min: list("cpu", "3"), MaxLimitRequestRatio: list("cpu", "5")}}, nil},
		{"ratio of whole units with huge bounds", []corev1.LimitRangeItem{{Type: pod, Min: list("memory", "9223372036854775"), Max: list("memory", "9223372036854775"), MaxLimitRequestRatio: list("memory", "1.5")}}, []string{
			`spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "1500m": ratio 1500m is greater than max/min = 1.000000`,
		}},
		{"ratio of whole units, rounded up, with the smallest bound that requires it", []corev1.LimitRangeItem{{Type: pod, Min: list("memory", "3"), Max: list("memory", "9223372036854775"), MaxLimitRequestRatio: list("memory", "3074457345618258333m")}}, []string{
			`spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "3074457345618258333m": ratio 3074457345618258333m is greater than max/min = 3074457345618258.500000`,
		}},
		{"a resource that cannot be overcommitted", []corev1.LimitRangeItem{{
			Type: container, Default: list("example.com/gpu", "2", "hugepages-2Mi", "4Mi", "cpu", "2", "memory", "1"), DefaultRequest: list("example.com/gpu", "1", "hugepages-2Mi", "2Mi", "cpu", "1"),
		}}, []string{
			`spec.limits[0].defaultRequest[example.com/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in example.com/gpu`,
			`spec.limits[0].defaultRequest[hugepages-2Mi]: Invalid value: "2Mi": default value 4Mi must equal to defaultRequest value 2Mi in hugepages-2Mi`,
		}},
		{"one default of a resource that cannot be overcommitted", []corev1.LimitRangeItem{{Type: container, Default: list("example.com/gpu", "2")}, {Type: claim, Max: list("storage", "1"), DefaultRequest: list("example.com/gpu", "2")}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			errs := limitrange.ValidateObject(limitRange("a", test.items...))
			for _, err := range errs {
				got = append(got, err.Error())
			}
			testkit.NoDiff(t, got, test.want)
			if len(errs) == 0 && errs != nil {
				t.Error("no errors are nil")
			}
		})
	}
}

func TestValidateObjectMetadata(t *testing.T) {
	testkit.NoDiff(t, limitrange.ValidateObject(nil), nil, "nil")
	lr := limitRange("Not_A_Name")
	lr.Namespace = ""
	var got []string
	for _, err := range limitrange.ValidateObject(lr) {
		got = append(got, string(err.Type)+" "+err.Field)
	}
	testkit.NoDiff(t, got, []string{"FieldValueInvalid metadata.name", "FieldValueRequired metadata.namespace"})
}
