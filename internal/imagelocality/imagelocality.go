// Package imagelocality answers how much the scheduler prefers a node because it has the images of a pod.
package imagelocality

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/release"
)

// The sizes between which a node scores, the larger one for each image of the pod; up to 1.36, for each container.
const (
	least        = 23 << 20
	mostPerImage = 1000 << 20
	maxScore     = 100

	mostSize = 1 << 52 // scores 100 even if one of a million nodes has it
)

// Scores returns the score of each node, from 0 to 100, which is not normalised. It is nil if no node has an image
// of the pod. A nil node scores 0, and is not counted.
//
// An image counts as much as its size on the node, multiplied by the part of the nodes that have it.
//
// Source: ImageLocality of k8s.io/kubernetes/pkg/scheduler/framework/plugins/imagelocality.
func Scores(spec *corev1.PodSpec, nodes []*corev1.Node, rules release.Rules) []int64 {
	images := imagesOf(spec)
	sums := make([]int64, len(nodes))
	total := 0
	for _, n := range nodes {
		if n != nil {
			total++
		}
	}
	isAnywhere := false
	for k, image := range images {
		if slices.Contains(images[:k], image) {
			continue
		}
		times := int64(0)
		for _, other := range images {
			if other == image {
				times++
			}
		}
		sizes, having := sizesOf(image, nodes)
		if having == 0 {
			continue
		}
		isAnywhere = true
		spread := float64(having) / float64(total)
		for i, size := range sizes {
			sums[i] += times * int64(float64(min(size, mostSize))*spread)
		}
	}
	if !isAnywhere {
		return nil
	}
	most := mostPerImage * int64(len(images))
	if !rules.CountsImageVolumes() {
		most = mostPerImage * int64(len(spec.InitContainers)+len(spec.Containers))
	}
	for i, sum := range sums {
		sums[i] = maxScore * (min(max(sum, least), most) - least) / (most - least)
	}
	return sums
}

// imagesOf returns the names of the images of the containers and the volumes of a pod, with their tags.
func imagesOf(spec *corev1.PodSpec) (images []string) {
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			images = append(images, withTag(list[i].Image))
		}
	}
	for i := range spec.Volumes {
		if image := spec.Volumes[i].Image; image != nil {
			images = append(images, withTag(image.Reference))
		}
	}
	return images
}

// withTag returns the name of an image as the container runtime has it.
func withTag(image string) string {
	if strings.LastIndexByte(image, ':') <= strings.LastIndexByte(image, '/') {
		return image + ":latest"
	}
	return image
}

// sizesOf returns the size of an image on each node, and how many nodes have it.
func sizesOf(image string, nodes []*corev1.Node) (sizes []int64, having int) {
	sizes = make([]int64, len(nodes))
	for i, n := range nodes {
		if n == nil {
			continue
		}
		for k := range n.Status.Images {
			if slices.Contains(n.Status.Images[k].Names, image) {
				sizes[i] = n.Status.Images[k].SizeBytes
				having++
				break
			}
		}
	}
	return sizes, having
}
