package origin

import (
	"cmp"
	"encoding/json"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
)

// Kubernetes returns the cluster that the answers are for, and asks the API server for its version if kubectl reads the
// objects. See KubernetesOf of package command.
func Kubernetes(c *command.Common, kubelets []string, say func(string)) computeresources.Kubernetes {
	return c.KubernetesOf(serverVersion(c), kubelets, say)
}

// usual is the release of a computeresources.Kubernetes that names none.
const usual = "1.37"

// chartRelease returns the version of Kubernetes that helm renders a chart for: that of -kubernetes, or of the API server
// that kubectl reads from, or else the usual one. Without it, helm takes the one that was usual when helm was made.
func chartRelease(c *command.Common) string {
	return cmp.Or(c.Kubernetes.Release, serverVersion(c), usual)
}

// serverVersion returns the version of the API server, "" if it is not asked, because it does not count, or if kubectl does
// not say it: why is said when it reads objects.
func serverVersion(c *command.Common) string {
	if !c.Cluster || c.Kubernetes.Release != "" {
		return ""
	}
	text, _ := Kubectl(c, "version", "--output=json")
	var versions struct {
		ServerVersion struct{ GitVersion string }
	}
	_ = json.Unmarshal(text, &versions)
	return versions.ServerVersion.GitVersion
}
