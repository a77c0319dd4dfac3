package origin

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
)

// Kubernetes returns the cluster that the answers are for: the release of -kubernetes; without it, that of the server
// that kubectl reads; without a server, that of the newest of the kubelets, whose versions are given; else the default.
// A release that is a guess, because a kubelet may be older than its API server, is said, and one that is not known.
func Kubernetes(c *command.Common, kubelets []string, say func(string)) computeresources.Kubernetes {
	if c.Kubernetes.Release != "" {
		return c.Kubernetes
	}
	version, is := "", "the version of the API server"
	if c.Cluster {
		version = serverVersion(c)
	}
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

// serverVersion returns the version of the API server, "" if kubectl does not say it: why is said when it reads objects.
func serverVersion(c *command.Common) string {
	text, _ := Kubectl(c, "version", "--output=json")
	var versions struct {
		ServerVersion struct{ GitVersion string }
	}
	if json.Unmarshal(text, &versions) != nil {
		return ""
	}
	return newest([]string{versions.ServerVersion.GitVersion})
}

// newest returns the newest of some versions, "" if none of the texts is a version.
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
