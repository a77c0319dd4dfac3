package objects_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// item is a pod as kubectl writes it, but for its names.
const item = `        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "annotations": {"kubernetes.io/config.seen": "2026-01-01T00:00:00Z", "prometheus.io/scrape": "true"},
                "creationTimestamp": "2026-01-01T00:00:00Z",
                "generateName": "storefront-7d9f8b6c5-",
                "labels": {"app": "storefront", "pod-template-hash": "7d9f8b6c5", "topology.kubernetes.io/zone": "a"},
                "name": "storefront-7d9f8b6c5-%[1]d",
                "namespace": "shop-%[2]d",
                "ownerReferences": [{"apiVersion": "apps/v1", "blockOwnerDeletion": true, "controller": true, "kind": "ReplicaSet", "name": "storefront-7d9f8b6c5", "uid": "5e1c7f0a-0000-4000-8000-0000000%05[2]d"}],
                "resourceVersion": "%[1]d",
                "uid": "41c7d2a0-9b53-4f3e-8a0c-7d1a7%07[1]d"
            },
            "spec": {
                "containers": [
                    {
                        "args": ["--port=8080", "--log-level=info"],
                        "env": [
                            {"name": "POD_NAME", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}},
                            {"name": "DATABASE", "value": "postgres://database.shop.svc:5432/shop"}
                        ],
                        "image": "registry.example.com/shop/storefront:v1.2.3",
                        "imagePullPolicy": "IfNotPresent",
                        "livenessProbe": {"failureThreshold": 3, "httpGet": {"path": "/healthz", "port": 8080, "scheme": "HTTP"}, "periodSeconds": 10, "successThreshold": 1, "timeoutSeconds": 1},
                        "name": "app",
                        "ports": [{"containerPort": 8080, "name": "http", "protocol": "TCP"}],
                        "resources": {"limits": {"cpu": "500m", "memory": "512Mi"}, "requests": {"cpu": "250m", "memory": "256Mi"}},
                        "terminationMessagePath": "/dev/termination-log",
                        "terminationMessagePolicy": "File",
                        "volumeMounts": [{"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "name": "kube-api-access", "readOnly": true}]
                    }
                ],
                "dnsPolicy": "ClusterFirst",
                "nodeName": "worker-%[2]d",
                "priority": 0,
                "restartPolicy": "Always",
                "schedulerName": "default-scheduler",
                "serviceAccountName": "default",
                "terminationGracePeriodSeconds": 30,
                "tolerations": [{"effect": "NoExecute", "key": "node.kubernetes.io/not-ready", "operator": "Exists", "tolerationSeconds": 300}]
            },
            "status": {
                "conditions": [
                    {"lastProbeTime": null, "lastTransitionTime": "2026-01-01T00:00:01Z", "status": "True", "type": "Ready"},
                    {"lastProbeTime": null, "lastTransitionTime": "2026-01-01T00:00:01Z", "status": "True", "type": "PodScheduled"}
                ],
                "containerStatuses": [{"containerID": "containerd://3f4e1d2c5b6a", "image": "storefront:v1.2.3", "imageID": "", "lastState": {}, "name": "app", "ready": true, "restartCount": 0, "started": true}],
                "hostIP": "10.0.0.1",
                "phase": "Running",
                "podIP": "10.1.0.1",
                "qosClass": "Burstable",
                "startTime": "2026-01-01T00:00:00Z"
            }
        }`

// pods is a list of pods in the order of kubectl: it says last that it is a List.
func pods(n int) string {
	var b strings.Builder
	b.WriteString("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n")
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, item, i, i/100)
	}
	b.WriteString("\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\"resourceVersion\": \"\"}\n}\n")
	return b.String()
}

// podStream is a stream of documents of YAML, each a pod.
func podStream(tb testing.TB, n int) string {
	var b strings.Builder
	yaml := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, nil, nil, serializer.SerializerOptions{Yaml: true})
	for i := range n {
		var pod corev1.Pod
		if err := json.Unmarshal(fmt.Appendf(nil, item, i, i/100), &pod); err != nil {
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

// BenchmarkJSON reads a list of pods, beside json.Decoder decoding each of its items.
func BenchmarkJSON(b *testing.B) {
	const n = 2000
	input := pods(n)
	for _, test := range []struct {
		name  string
		check objects.Check
	}{{"unchecked", objects.Unchecked}, {"checked", objects.Warn}} {
		b.Run(test.name, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				count(b, objects.Reader{Kinds: kinds, Stdin: strings.NewReader(input), Check: test.check}, n)
			}
		})
	}
	b.Run("json.Decoder", func(b *testing.B) {
		b.SetBytes(int64(len(input)))
		for b.Loop() {
			if got := decodeItems(b, strings.NewReader(input)); got != n {
				b.Fatal(got)
			}
		}
	})
}

// decodeItems decodes the items of a list by encoding/json.
func decodeItems(t testing.TB, input io.Reader) (n int) {
	d := json.NewDecoder(input)
	for {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		if token == json.Delim('[') {
			break
		}
	}
	for d.More() {
		pod := reflect.New(reflect.TypeFor[corev1.Pod]()).Interface()
		if err := d.Decode(pod); err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
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
