package declaredfeatures_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/declaredfeatures"
	"github.com/kubemath/kubemath/internal/testkit"
)

func restarts(actions ...corev1.ContainerRestartRuleAction) []corev1.Container {
	c := corev1.Container{Name: "c"}
	for _, action := range actions {
		c.RestartPolicyRules = append(c.RestartPolicyRules, corev1.ContainerRestartRule{Action: action})
	}
	return []corev1.Container{{Name: "other"}, c}
}

func TestOf(t *testing.T) {
	yes, no := true, false
	const all, one = corev1.ContainerRestartRuleActionRestartAllContainers, corev1.ContainerRestartRuleActionRestart
	restart, users := "RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport"
	for name, test := range map[string]struct {
		spec corev1.PodSpec
		want []string
	}{
		"none":                                 {},
		"one container is restarted":           {spec: corev1.PodSpec{Containers: restarts(one)}},
		"all containers are restarted":         {spec: corev1.PodSpec{Containers: restarts(one, all)}, want: []string{restart}},
		"by an init container":                 {spec: corev1.PodSpec{InitContainers: restarts(all)}, want: []string{restart}},
		"users of the host":                    {spec: corev1.PodSpec{HostNetwork: true, HostUsers: &yes}},
		"own users":                            {spec: corev1.PodSpec{HostUsers: &no}},
		"own users on the network of the host": {spec: corev1.PodSpec{HostNetwork: true, HostUsers: &no}, want: []string{users}},
		"the network of the host":              {spec: corev1.PodSpec{HostNetwork: true}},
		"both":                                 {spec: corev1.PodSpec{HostNetwork: true, HostUsers: &no, Containers: restarts(all)}, want: []string{restart, users}},
	} {
		testkit.NoDiff(t, declaredfeatures.Of(&test.spec), test.want, name)
	}
}

func TestHasAll(t *testing.T) {
	node := &corev1.Node{Status: corev1.NodeStatus{DeclaredFeatures: []string{"A", "B"}}}
	for _, test := range []struct {
		names []string
		want  bool
	}{{nil, true}, {[]string{"A"}, true}, {[]string{"A", "B"}, true}, {[]string{"A", "C"}, false}, {[]string{"C"}, false}} {
		testkit.Equal(t, declaredfeatures.HasAll(node, test.names), test.want, test.names)
	}
}
