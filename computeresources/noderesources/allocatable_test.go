package noderesources_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Sizes of hugepages are subtracted by name, which matters if one is below zero.
func TestAllocatableOfNegativeHugePages(t *testing.T) {
	capacity := testkit.List("memory", "0", "hugepages-1Gi", "1Gi", "hugepages-2Mi", "-2Gi")
	opts := noderesources.ReservedOptions{EvictionHard: map[string]string{}}
	for range 50 { // maps have no order
		got, err := noderesources.Allocatable(capacity, opts)
		testkit.OK(t, err)
		if memory := got.Memory().String(); memory != "2Gi" {
			t.Fatalf("memory: got %s, want 2Gi", memory)
		}
	}
}

func TestAllocatable(t *testing.T) {
	none := map[string]string{}
	for _, test := range []struct {
		name              string
		capacity          corev1.ResourceList
		opts              noderesources.ReservedOptions
		want, wantEnforce corev1.ResourceList
	}{
		{"nil", nil, noderesources.ReservedOptions{}, nil, nil},
		{"defaults", testkit.List("cpu", "4", "memory", "1Gi", "ephemeral-storage", "1000", "pods", "110"), noderesources.ReservedOptions{},
			testkit.List("cpu", "4", "memory", "924Mi", "ephemeral-storage", "900", "pods", "110"),
			testkit.List("cpu", "4", "memory", "1Gi", "ephemeral-storage", "1000", "pods", "110")},
		{"both reservations", testkit.List("cpu", "4", "example.com/x", "3"),
			noderesources.ReservedOptions{KubeReserved: testkit.List("cpu", "100m", "memory", "1"), SystemReserved: testkit.List("cpu", "1u", "example.com/x", "1"), EvictionHard: none},
			testkit.List("cpu", "3899999u", "example.com/x", "2"), testkit.List("cpu", "3899999u", "example.com/x", "2")},
		{"reserved above capacity", testkit.List("cpu", "1", "memory", "1Gi"),
			noderesources.ReservedOptions{KubeReserved: testkit.List("cpu", "2", "memory", "1Gi")},
			testkit.List("cpu", "0", "memory", "0"), testkit.List("cpu", "0", "memory", "0")},
		{"hugepages", testkit.List("memory", "10Gi", "hugepages-2Mi", "2Gi", "hugepages-1Gi", "1Gi"), noderesources.ReservedOptions{EvictionHard: none},
			testkit.List("memory", "7Gi", "hugepages-2Mi", "2Gi", "hugepages-1Gi", "1Gi"), testkit.List("memory", "10Gi", "hugepages-2Mi", "2Gi", "hugepages-1Gi", "1Gi")},
		{"more hugepages than memory", testkit.List("memory", "1Gi", "hugepages-2Mi", "2Gi"), noderesources.ReservedOptions{EvictionHard: none},
			testkit.List("memory", "0", "hugepages-2Mi", "2Gi"), testkit.List("memory", "1Gi", "hugepages-2Mi", "2Gi")},
		{"hugepages that are reserved", testkit.List("memory", "10Gi", "hugepages-2Mi", "2Gi"), noderesources.ReservedOptions{SystemReserved: testkit.List("hugepages-2Mi", "1Gi"), EvictionHard: none},
			testkit.List("memory", "8Gi", "hugepages-2Mi", "1Gi"), testkit.List("memory", "10Gi", "hugepages-2Mi", "1Gi")},
		{"hugepages without memory", testkit.List("hugepages-2Mi", "2Gi"), noderesources.ReservedOptions{}, testkit.List("hugepages-2Mi", "2Gi"), testkit.List("hugepages-2Mi", "2Gi")},
		{"thresholds", testkit.List("memory", "1000", "ephemeral-storage", "1000"),
			noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": "12.5%", "nodefs.available": "7", "imagefs.available": "50%", "pid.available": "10"}},
			testkit.List("memory", "875", "ephemeral-storage", "993"), testkit.List("memory", "1000", "ephemeral-storage", "1000")},
		{"thresholds beside reservations", testkit.List("memory", "1000", "ephemeral-storage", "1000"), // parts of the capacity
			noderesources.ReservedOptions{KubeReserved: testkit.List("memory", "200"), SystemReserved: testkit.List("ephemeral-storage", "400"),
				EvictionHard: map[string]string{"memory.available": "12.5%", "nodefs.available": "25%"}},
			testkit.List("memory", "675", "ephemeral-storage", "350"), testkit.List("memory", "800", "ephemeral-storage", "600")},
		{"thresholds without defaults", testkit.List("memory", "1Gi", "ephemeral-storage", "1000"),
			noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": "24Mi"}},
			testkit.List("memory", "1000Mi", "ephemeral-storage", "1000"), testkit.List("memory", "1Gi", "ephemeral-storage", "1000")},
		{"thresholds merged with defaults", testkit.List("memory", "1Gi", "ephemeral-storage", "1000"),
			noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": "24Mi"}, MergeDefaultEvictionSettings: true},
			testkit.List("memory", "1000Mi", "ephemeral-storage", "900"), testkit.List("memory", "1Gi", "ephemeral-storage", "1000")},
		{"thresholds merged with defaults, of signals that reserve nothing", testkit.List("memory", "1Gi", "ephemeral-storage", "1000"),
			noderesources.ReservedOptions{EvictionHard: map[string]string{"pid.available": "10%"}, MergeDefaultEvictionSettings: true},
			testkit.List("memory", "924Mi", "ephemeral-storage", "900"), testkit.List("memory", "1Gi", "ephemeral-storage", "1000")},
		{"a default threshold switched off", testkit.List("memory", "1Gi", "ephemeral-storage", "1000"),
			noderesources.ReservedOptions{EvictionHard: map[string]string{"nodefs.available": "0%"}, MergeDefaultEvictionSettings: true},
			testkit.List("memory", "924Mi", "ephemeral-storage", "1000"), testkit.List("memory", "1Gi", "ephemeral-storage", "1000")},
		{"no thresholds merged with defaults", testkit.List("memory", "1Gi", "ephemeral-storage", "1000"),
			noderesources.ReservedOptions{EvictionHard: none, MergeDefaultEvictionSettings: true},
			testkit.List("memory", "924Mi", "ephemeral-storage", "900"), testkit.List("memory", "1Gi", "ephemeral-storage", "1000")},
		{"nil merged with defaults", testkit.List("memory", "1Gi", "ephemeral-storage", "1000"),
			noderesources.ReservedOptions{MergeDefaultEvictionSettings: true},
			testkit.List("memory", "924Mi", "ephemeral-storage", "900"), testkit.List("memory", "1Gi", "ephemeral-storage", "1000")},
		{"percentages that the kubelet ignores", testkit.List("memory", "1000", "ephemeral-storage", "1000"),
			noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": "100%", "nodefs.available": "0%"}},
			testkit.List("memory", "1000", "ephemeral-storage", "1000"), testkit.List("memory", "1000", "ephemeral-storage", "1000")},
		{"a percentage that is not a binary fraction", testkit.List("memory", "1000000000"),
			noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": "10%"}}, // 0.1 in 32 bits is 0.100000001490116
			testkit.List("memory", "899999999"), testkit.List("memory", "1000000000")},
		{"more than one percent sign", testkit.List("memory", "1000"),
			noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": "50%%"}},
			testkit.List("memory", "500"), testkit.List("memory", "1000")},
		{"beyond int64", testkit.List("memory", "1e28"),
			noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": "100.0%"}},
			testkit.List("memory", "9999999990776627963145224193"), testkit.List("memory", "1e28")},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := noderesources.Allocatable(test.capacity, test.opts)
			testkit.OK(t, err)
			enforced := noderesources.Enforced(test.capacity, test.opts)
			for name, lists := range map[string][2]corev1.ResourceList{"allocatable": {test.want, got}, "enforced": {test.wantEnforce, enforced}} {
				if lists[1] == nil || len(lists[0]) != len(lists[1]) {
					t.Errorf("%s is %v, want %v", name, lists[1], lists[0])
				}
				for resource, want := range lists[0] {
					if q := lists[1][resource]; q.Cmp(want) != 0 {
						t.Errorf("%s: %s is %s, want %s", name, resource, q.String(), want.String())
					}
				}
			}
		})
	}
}

func TestAllocatableKeepsFormats(t *testing.T) {
	got, err := noderesources.Allocatable(testkit.List("cpu", "1", "memory", "1Mi"), noderesources.ReservedOptions{})
	testkit.OK(t, err)
	want := map[corev1.ResourceName]string{"cpu": "1 DecimalSI", "memory": "0 BinarySI"}
	testkit.NoDiff(t, testkit.Texts(got), want)
}

// The kubelet knows signals that hold nothing back.
func TestSignalsThatReserveNothing(t *testing.T) {
	capacity := testkit.List("memory", "1000", "ephemeral-storage", "1000")
	for _, signal := range []string{
		"nodefs.inodesFree", "imagefs.available", "imagefs.inodesFree", "containerfs.available",
		"containerfs.inodesFree", "allocatableMemory.available", "pid.available",
	} {
		got, err := noderesources.Allocatable(capacity, noderesources.ReservedOptions{EvictionHard: map[string]string{signal: "10%"}})
		if err != nil || !cmp.Equal(testkit.Texts(capacity), testkit.Texts(got)) {
			t.Errorf("%s: %v, %v", signal, testkit.Texts(got), err)
		}
	}
}

func TestInvalidThresholds(t *testing.T) {
	for value, reason := range map[string]string{
		"-1":    "must be positive",
		"0":     "must be positive",
		"":      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
		"-1%":   "must be >= 0%",
		"NaN%":  "must be >= 0%",
		"101%":  "must be <= 100%",
		"many%": `strconv.ParseFloat: parsing "many": invalid syntax`,
	} {
		got, err := noderesources.Allocatable(testkit.List("memory", "1Gi"), noderesources.ReservedOptions{
			EvictionHard: map[string]string{"pid.available": "5%", "nodefs.available": value},
		})
		var invalid *field.Error
		if got != nil || !errors.As(err, &invalid) {
			t.Errorf("%q: %v, %v", value, got, err)
			continue
		}
		if want := field.Invalid(field.NewPath("evictionHard").Key("nodefs.available"), value, reason); !cmp.Equal(invalid, want) {
			t.Errorf("%q: %v, want %v", value, invalid, want)
		}
	}
	_, err := noderesources.Allocatable(nil, noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": ""}, MergeDefaultEvictionSettings: true})
	if err == nil {
		t.Error("a default replaces an empty threshold")
	}
	_, err = noderesources.Allocatable(nil, noderesources.ReservedOptions{EvictionHard: map[string]string{"b": "1", "a": "2"}})
	if want := `evictionHard[a]: Invalid value: "2": unsupported eviction signal a`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
