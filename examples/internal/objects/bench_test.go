package objects_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
)

// podStream is a stream of documents of YAML, each a pod.
func podStream(tb testing.TB, n int) string {
	var b strings.Builder
	yaml := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, nil, nil, serializer.SerializerOptions{Yaml: true})
	for i := range n {
		var pod corev1.Pod
		if err := json.Unmarshal([]byte(golden.Pod(i)), &pod); err != nil {
			tb.Fatal(err)
		}
		b.WriteString("---\n")
		if err := yaml.Encode(&pod, &b); err != nil {
			tb.Fatal(err)
		}
	}
	return b.String()
}

func count(b *testing.B, r objects.Reader, want int) {
	n := 0
	for o := range r.Files([]string{"-"}) {
		if len(o.Problems) > 0 {
			b.Fatal(o.Problems)
		}
		n++
	}
	if n != want {
		b.Fatalf("%d objects, want %d", n, want)
	}
}

// BenchmarkJSON reads a list of pods, beside encoding/json decoding it.
func BenchmarkJSON(b *testing.B) {
	const n = 2000
	var list strings.Builder
	golden.WritePods(&list, n)
	input := list.String()
	for name, check := range map[string]objects.Check{"unchecked": objects.Unchecked, "checked": objects.Warn} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				count(b, objects.Reader{Kinds: kinds, Stdin: strings.NewReader(input), Check: check}, n)
			}
		})
	}
	b.Run("json.Unmarshal", func(b *testing.B) {
		b.SetBytes(int64(len(input)))
		for b.Loop() {
			if err := json.Unmarshal([]byte(input), new(corev1.PodList)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkYAML reads a stream of pods, beside sigs.k8s.io/yaml decoding each of its documents.
func BenchmarkYAML(b *testing.B) {
	const n = 100
	input := podStream(b, n)
	b.Run("checked", func(b *testing.B) {
		b.SetBytes(int64(len(input)))
		for b.Loop() {
			count(b, objects.Reader{Kinds: kinds, Stdin: strings.NewReader(input), Check: objects.Warn}, n)
		}
	})
	b.Run("yaml.Unmarshal", func(b *testing.B) {
		b.SetBytes(int64(len(input)))
		for b.Loop() {
			for document := range bytes.SplitSeq([]byte(input), []byte("---\n")) {
				var pod corev1.Pod
				if err := yaml.Unmarshal(document, &pod); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
