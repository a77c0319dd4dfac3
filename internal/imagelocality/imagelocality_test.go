package imagelocality_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/imagelocality"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
)

const mega = 1 << 20

// has returns a node with one image, which may have several names.
func has(size int64, names ...string) *corev1.Node {
	n := &corev1.Node{}
	n.Status.Images = []corev1.ContainerImage{{Names: []string{"other:1"}, SizeBytes: 7}, {Names: names, SizeBytes: size}}
	return n
}

func containers(images ...string) (list []corev1.Container) {
	for _, image := range images {
		list = append(list, corev1.Container{Image: image})
	}
	return list
}

func TestScores(t *testing.T) {
	none := &corev1.Node{}
	two := has(500*mega, "app:1")
	two.Status.Images = append(two.Status.Images, corev1.ContainerImage{Names: []string{"log:1"}, SizeBytes: 700 * mega})
	twice := has(500*mega, "app:1")
	twice.Status.Images = append(twice.Status.Images, corev1.ContainerImage{Names: []string{"app:1"}, SizeBytes: 900 * mega})
	for name, test := range map[string]struct {
		spec  corev1.PodSpec
		nodes []*corev1.Node
		want  []int64
	}{
		"no node has it":               {corev1.PodSpec{Containers: containers("app:2")}, []*corev1.Node{has(500*mega, "app:1"), none}, nil},
		"no nodes":                     {corev1.PodSpec{Containers: containers("app:1")}, nil, nil},
		"no images":                    {corev1.PodSpec{}, []*corev1.Node{has(500*mega, "app:1")}, nil},
		"one of two has it":            {corev1.PodSpec{Containers: containers("app:1")}, []*corev1.Node{none, has(500*mega, "app:1")}, []int64{0, 23}}, // 100 (250-23) / 977
		"nodes that are not there":     {corev1.PodSpec{Containers: containers("app:1")}, []*corev1.Node{nil, has(500*mega, "app:1")}, []int64{0, 48}},  // 100 (500-23) / 977
		"of another name":              {corev1.PodSpec{Containers: containers("reg/app:1")}, []*corev1.Node{none, has(500*mega, "app:1", "reg/app:1")}, []int64{0, 23}},
		"without a tag":                {corev1.PodSpec{Containers: containers("reg:5000/app")}, []*corev1.Node{has(500*mega, "reg:5000/app:latest")}, []int64{48}},
		"small":                        {corev1.PodSpec{Containers: containers("app:1")}, []*corev1.Node{has(23*mega, "app:1"), has(22*mega, "app:1"), has(-1, "app:1")}, []int64{0, 0, 0}},
		"large":                        {corev1.PodSpec{Containers: containers("app:1")}, []*corev1.Node{has(1000*mega, "app:1"), has(math.MaxInt64, "app:1")}, []int64{100, 100}},
		"the first of two sizes":       {corev1.PodSpec{Containers: containers("app:1")}, []*corev1.Node{twice}, []int64{48}},
		"two containers of an image":   {corev1.PodSpec{Containers: containers("app:1", "app:1")}, []*corev1.Node{has(500*mega, "app:1")}, []int64{49}},                                      // 100 (1000-23) / 1977
		"a container without it":       {corev1.PodSpec{Containers: containers("app:1", "web:1")}, []*corev1.Node{has(500*mega, "app:1")}, []int64{24}},                                      // 100 (500-23) / 1977
		"init containers":              {corev1.PodSpec{InitContainers: containers("app:1"), Containers: containers("log:1")}, []*corev1.Node{two, has(500*mega, "app:1")}, []int64{41, 24}}, // 100 (500+350-23) / 1977
		"volumes":                      {corev1.PodSpec{Volumes: []corev1.Volume{{}, {VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{Reference: "app:1"}}}}}, []*corev1.Node{has(500*mega, "app:1")}, []int64{48}},
		"ephemeral containers have no": {corev1.PodSpec{EphemeralContainers: []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Image: "app:1"}}}}, []*corev1.Node{has(500*mega, "app:1")}, nil},
	} {
		testkit.NoDiff(t, imagelocality.Scores(&test.spec, test.nodes, release.Rules{}), test.want, name)
	}
}

// The scheduler takes the size of the first node that it has heard of for both: 48 and 48, or 7 and 7.
// See docs/decisions/quota.md#size-of-an-image.
func TestDivergenceSizeOfAnImage(t *testing.T) {
	spec := corev1.PodSpec{Containers: containers("app:1")}
	nodes := []*corev1.Node{has(500*mega, "app:1"), has(100*mega, "app:1")}
	testkit.NoDiff(t, imagelocality.Scores(&spec, nodes, release.Rules{}), []int64{48, 7}) // 100 (500-23) / 977, 100 (100-23) / 977
}

// Of two images, the node has one. Up to 1.36, the largest size grows with each container and init container, and since
// 1.37 with each image of a volume as well.
func TestScoresByRelease(t *testing.T) {
	volume := corev1.PodSpec{Containers: containers("app:1"), Volumes: []corev1.Volume{
		{VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{Reference: "data:1"}}},
	}}
	init := corev1.PodSpec{InitContainers: containers("data:1"), Containers: containers("app:1")}
	nodes := []*corev1.Node{has(500*mega, "app:1")}
	for _, test := range []struct {
		name, release string
		spec          corev1.PodSpec
		want          int64
	}{
		{"a volume", "1.36", volume, 48},        // 100 (500-23) / 977
		{"a volume", "1.37", volume, 24},        // 100 (500-23) / 1977
		{"an init container", "1.36", init, 24}, // 100 (500-23) / 1977
		{"an init container", "1.37", init, 24}, // 100 (500-23) / 1977
	} {
		got := imagelocality.Scores(&test.spec, nodes, release.Rules{Release: test.release})
		testkit.NoDiff(t, got, []int64{test.want}, test.name, test.release)
	}
}
