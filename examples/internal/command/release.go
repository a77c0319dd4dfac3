package command

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/kubemath/kubemath/computeresources"
)

// KubernetesOf returns the cluster that the answers are for: the release of -kubernetes; without it, that of the version of
// the API server; without a server, that of the newest of the kubelets, whose versions are given; else the default.
// A release that is a guess, because a kubelet may be older than its API server, is said, and one that is not known.
func (c *Common) KubernetesOf(server string, kubelets []string, say func(string)) computeresources.Kubernetes {
	if c.Kubernetes.Release != "" {
		return c.Kubernetes
	}
	version, is := newest([]string{server}), "the version of the API server"
	guessed := version == ""
	if guessed {
		version, is = newest(kubelets), "the newest version of a kubelet, and the API server may be newer"
	}
	if version == "" {
		return c.Kubernetes
	}
	if _, err := computeresources.ParseRelease(version); err != nil {
		say(fmt.Sprintf("the answers are those of the release next to %s, which is %s: %v", version, is, err))
	} else if guessed {
		say(fmt.Sprintf("the answers are those of Kubernetes %s, as a guess: it is %s (-kubernetes says it)", version, is))
	}
	return computeresources.Kubernetes{Release: version}
}

// newest returns the minor release of the newest of some versions, "" if none of the texts is a version.
func newest(texts []string) string {
	var most *version.Version
	for _, text := range texts {
		v, err := version.ParseGeneric(text)
		if err == nil && (most == nil || most.LessThan(v)) {
			most = v
		}
	}
	if most == nil {
		return ""
	}
	return fmt.Sprintf("%d.%d", most.Major(), most.Minor())
}
