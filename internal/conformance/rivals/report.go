package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/kubemath/kubemath/internal/testkit"
)

var podsSink []*corev1.Pod

// reportBesideDecoding compares the example program kubemath, which prints a table of 20,000 pods from
// their manifests, with decoding them, which takes most of its time and is needed by any program.
func reportBesideDecoding() (report, decode func(), _ time.Duration) {
	dir, err := os.MkdirTemp("", "kubemath-")
	if err != nil {
		panic(err)
	}
	program := filepath.Join(dir, "kubemath")
	build := exec.Command("go", "build", "-o", program, "./examples/kubemath")
	build.Dir = "../.." // the module of the examples
	if out, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v: %s", err, out))
	}
	var manifests bytes.Buffer
	for i := range 20_000 {
		pod := testkit.StandardPod(i%4 == 0)
		pod.APIVersion, pod.Kind, pod.Namespace, pod.Name = "v1", "Pod", "shop", fmt.Sprintf("pod-%d", i)
		text, err := sigsyaml.Marshal(pod)
		if err != nil {
			panic(err)
		}
		manifests.WriteString("---\n")
		manifests.Write(text)
	}
	report = func() {
		cmd := exec.Command(program, "-f", "-", "-all")
		cmd.Stdin = bytes.NewReader(manifests.Bytes())
		// It exits with 2 if a pod would not be admitted, which is an answer, too.
		out, err := cmd.Output()
		if bytes.Count(out, []byte("\n")) < 20_000 {
			panic(fmt.Sprintf("%d bytes of a report, %v", len(out), err))
		}
	}
	decode = func() {
		podsSink = podsSink[:0]
		documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(manifests.Bytes()), 4096)
		for {
			pod := &corev1.Pod{}
			if err := documents.Decode(pod); err != nil {
				break
			}
			podsSink = append(podsSink, pod)
		}
		if len(podsSink) != 20_000 {
			panic(len(podsSink))
		}
	}
	return report, decode, 0
}
