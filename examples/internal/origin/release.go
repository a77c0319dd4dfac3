package origin

import (
	"encoding/json"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
)

// Kubernetes returns the cluster that the answers are for, and asks the API server for its version if kubectl reads the
// objects. See KubernetesOf of package command.
func Kubernetes(c *command.Common, kubelets []string, say func(string)) computeresources.Kubernetes {
	server := ""
	if c.Cluster && c.Kubernetes.Release == "" {
		server = serverVersion(c)
	}
	return c.KubernetesOf(server, kubelets, say)
}

// serverVersion returns the version of the API server, "" if kubectl does not say it: why is said when it reads objects.
func serverVersion(c *command.Common) string {
	text, _ := Kubectl(c, "version", "--output=json")
	var versions struct {
		ServerVersion struct{ GitVersion string }
	}
	_ = json.Unmarshal(text, &versions)
	return versions.ServerVersion.GitVersion
}
