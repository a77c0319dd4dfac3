package hostports_test

import (
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/hostports"
	"github.com/kubemath/kubemath/internal/testkit"
)

// portsOf parses "UDP 127.0.0.1 8080, …": "-" is a field that is not set.
func portsOf(text string) (ports []corev1.ContainerPort) {
	for one := range strings.SplitSeq(text, ", ") {
		fields := strings.Fields(one)
		if len(fields) != 3 {
			continue
		}
		for i := range fields {
			if fields[i] == "-" {
				fields[i] = ""
			}
		}
		number, _ := strconv.ParseInt(fields[2], 10, 32)
		ports = append(ports, corev1.ContainerPort{
			Protocol: corev1.Protocol(fields[0]), HostIP: fields[1], HostPort: int32(number), ContainerPort: 1,
		})
	}
	return ports
}

func podWith(ports string) *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Ports: portsOf(ports)}}}}
}

// onOneNode returns the refusal of a node with pods.
func onOneNode(pod *corev1.Pod, pods ...*corev1.Pod) string {
	nodes := hostports.Of(pod).On(1, func(int) []*corev1.Pod { return pods })
	return nodes.Refusal(0)
}

// The rows are those of TestNodePorts of Kubernetes 1.37.2, and what HostPortInfo documents.
func TestRefusal(t *testing.T) {
	const refused = "node(s) didn't have free ports for the requested pod ports"
	for _, test := range []struct{ name, pod, other, want string }{
		{"no ports", "", "", ""},
		{"no ports next to one", "", "TCP 0.0.0.0 80", ""},
		{"a port next to none", "TCP 0.0.0.0 80", "", ""},
		{"another number", "UDP 127.0.0.1 8080", "UDP 127.0.0.1 9090", ""},
		{"the same of UDP", "UDP 127.0.0.1 8080", "UDP 127.0.0.1 8080", refused},
		{"the same of TCP", "TCP 127.0.0.1 8080", "TCP 127.0.0.1 8080", refused},
		{"the same of SCTP", "SCTP 127.0.0.1 8080", "SCTP 127.0.0.1 8080", refused},
		{"another address", "TCP 127.0.0.1 8080", "TCP 127.0.0.2 8080", ""},
		{"another protocol", "UDP 127.0.0.1 8080", "TCP 127.0.0.1 8080", ""},
		{"the second port", "UDP 127.0.0.1 8000, UDP 127.0.0.1 8080", "UDP 127.0.0.1 8080", refused},
		{"the first port", "TCP 127.0.0.1 8001, UDP 127.0.0.1 8080", "TCP 127.0.0.1 8001, UDP 127.0.0.1 8081", refused},
		{"the second port of the other", "TCP 127.0.0.1 80", "TCP 127.0.0.1 81, TCP 127.0.0.1 80", refused},
		{"all addresses", "TCP 0.0.0.0 8001", "TCP 127.0.0.1 8001", refused},
		{"one and all addresses", "TCP 10.0.10.10 8001, TCP 0.0.0.0 8001", "TCP 127.0.0.1 8001", refused},
		{"all addresses of the other", "TCP 127.0.0.1 8001", "TCP 0.0.0.0 8001", refused},
		{"all addresses, another protocol", "UDP 127.0.0.1 8001", "TCP 0.0.0.0 8001", ""},
		{"all addresses, another number", "TCP 0.0.0.0 8001", "TCP 0.0.0.0 8002", ""},
		{"all addresses, both protocols", "UDP 127.0.0.1 8001", "TCP 0.0.0.0 8001, UDP 0.0.0.0 8001", refused},
		{"no address is all", "TCP - 80", "TCP 127.0.0.1 80", refused},
		{"no address of the other is all", "TCP 127.0.0.1 80", "TCP - 80", refused},
		{"no protocol is TCP", "- 127.0.0.1 80", "TCP 127.0.0.1 80", refused},
		{"no protocol is not UDP", "- 127.0.0.1 80", "UDP 127.0.0.1 80", ""},
		{":: is one address", "TCP :: 80", "TCP ::1 80", ""},
		{"0.0.0.0 includes ::", "TCP :: 80", "TCP 0.0.0.0 80", refused},
		{"no host port", "TCP 0.0.0.0 0", "TCP 0.0.0.0 0", ""},
		{"a negative host port", "TCP 0.0.0.0 -1", "TCP 0.0.0.0 -1", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, onOneNode(podWith(test.pod), podWith(test.other)), test.want)
		})
	}
}

// Sidecars keep their ports for as long as the pod runs, other init containers do not.
func TestContainersThatCount(t *testing.T) {
	ports := portsOf("TCP 0.0.0.0 80")
	sidecar := testkit.Sidecar("c", nil, nil)
	sidecar.Ports = ports
	for _, test := range []struct {
		name    string
		spec    corev1.PodSpec
		refused bool
	}{
		{"a container", corev1.PodSpec{Containers: []corev1.Container{{Ports: ports}}}, true},
		{"the second container", corev1.PodSpec{Containers: []corev1.Container{{}, {Ports: ports}}}, true},
		{"a sidecar", corev1.PodSpec{InitContainers: []corev1.Container{sidecar}}, true},
		{"an init container", corev1.PodSpec{InitContainers: []corev1.Container{{Ports: ports}}}, false},
		{"a container after an init container", corev1.PodSpec{
			InitContainers: []corev1.Container{{}}, Containers: []corev1.Container{{Ports: ports}}}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			pod, other := &corev1.Pod{Spec: test.spec}, podWith("TCP 0.0.0.0 80")
			testkit.Equal(t, onOneNode(pod, other) != "", test.refused, "of the pod")
			testkit.Equal(t, onOneNode(other, pod) != "", test.refused, "of the other")
		})
	}
}

// The API server sets the host ports of pods on the network of the host; manifests do not have them.
func TestHostNetwork(t *testing.T) {
	pod := podWith("TCP 0.0.0.0 0, TCP 0.0.0.0 90") // the container port of both is 1
	testkit.Equal(t, onOneNode(pod, podWith("TCP 0.0.0.0 1")), "", "on the network of pods")
	pod.Spec.HostNetwork = true
	testkit.Equal(t, onOneNode(pod, podWith("TCP 0.0.0.0 1")), hostports.Reason, "the port without a host port")
	pod.Spec.Containers[0].Ports = pod.Spec.Containers[0].Ports[1:]
	testkit.Equal(t, onOneNode(pod, podWith("TCP 0.0.0.0 1")), "", "the port with another host port")
	pod.Spec.Containers[0].Ports[0].HostPort = -1
	testkit.Equal(t, onOneNode(pod, podWith("TCP 0.0.0.0 1")), "", "an invalid host port")
}

func TestPodsWithoutPorts(t *testing.T) {
	for _, pod := range []*corev1.Pod{nil, {}, podWith("TCP 0.0.0.0 0")} {
		if ports := hostports.Of(pod); ports != nil {
			t.Errorf("got %v", ports)
		}
		testkit.Equal(t, onOneNode(podWith("TCP 0.0.0.0 80"), pod), "")
	}
}

// The pods of a node are asked for once, at the first question about it.
func TestPodsAreAskedForOnce(t *testing.T) {
	asked := []int{0, 0}
	other := podWith("TCP 0.0.0.0 80")
	nodes := hostports.Of(other).On(2, func(i int) []*corev1.Pod {
		asked[i]++
		return []*corev1.Pod{other}
	})
	nodes.Remove(1, other) // it is there at the question
	for range 2 {
		testkit.Equal(t, nodes.Refusal(1), hostports.Reason)
	}
	testkit.NoDiff(t, asked, []int{0, 1})
}

// Of two pods that use a port, both have to leave.
func TestRemoveOneOfTwo(t *testing.T) {
	other := podWith("TCP 0.0.0.0 80")
	nodes := hostports.Of(other).On(1, func(int) []*corev1.Pod { return nil })
	testkit.Equal(t, nodes.Refusal(0), "")
	nodes.Add(0, other)
	nodes.Add(0, other)
	nodes.Remove(0, other)
	testkit.Equal(t, nodes.Refusal(0), hostports.Reason)
	nodes.Remove(0, other)
	testkit.Equal(t, nodes.Refusal(0), "")
}

// A pod that comes and leaves before the first question about its node leaves those that were there.
func TestChangesBeforeTheFirstQuestion(t *testing.T) {
	other := podWith("TCP 0.0.0.0 80")
	nodes := hostports.Of(other).On(1, func(int) []*corev1.Pod { return []*corev1.Pod{other} })
	nodes.Add(0, podWith("TCP 0.0.0.0 80"))
	nodes.Remove(0, podWith("TCP 0.0.0.0 80"))
	testkit.Equal(t, nodes.Refusal(0), hostports.Reason)
}

// Pods that come and leave give what counting afresh gives.
func TestAddAndRemoveAreAFreshCount(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) *corev1.Pod {
		some := rapid.SampledFrom([]string{"TCP 0.0.0.0 1", "TCP a 1", "TCP b 1", "UDP a 1", "TCP a 2", ""})
		return podWith(some.Draw(t, "port") + ", " + some.Draw(t, "port"))
	})
	rapid.Check(t, func(t *rapid.T) {
		pod, pods := draw.Draw(t, "pod"), make([][]*corev1.Pod, 3)
		fresh := func() *hostports.Nodes {
			return hostports.Of(pod).On(len(pods), func(i int) []*corev1.Pod { return pods[i] })
		}
		nodes := fresh()
		for i := range rapid.IntRange(0, 3).Draw(t, "asked") {
			testkit.Equal(t, nodes.Refusal(i), "")
		}
		for range rapid.IntRange(0, 12).Draw(t, "events") {
			i := rapid.IntRange(0, 2).Draw(t, "node")
			if n := len(pods[i]); n > 0 && rapid.Bool().Draw(t, "leaves") {
				nodes.Remove(i, pods[i][n-1])
				pods[i] = pods[i][:n-1]
				continue
			}
			pods[i] = append(pods[i], draw.Draw(t, "other"))
			nodes.Add(i, pods[i][len(pods[i])-1])
		}
		for i := range pods {
			testkit.Equal(t, nodes.Refusal(i), fresh().Refusal(i))
		}
	})
}

func TestInputsAreOnlyRead(t *testing.T) {
	pod, others := podWith("TCP - 80, - 0.0.0.0 90"), []*corev1.Pod{podWith("TCP 127.0.0.1 80"), nil}
	testkit.Contract(t, func() any {
		nodes := hostports.Of(pod).On(1, func(int) []*corev1.Pod { return others })
		nodes.Add(0, others[0])
		return nodes.Refusal(0)
	}, pod, others)
}
