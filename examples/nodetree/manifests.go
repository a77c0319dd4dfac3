package main

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
)

//go:embed samples/document.yaml
var samples embed.FS

// readPods reads the pods of the named files, or the samples if there are none.
func readPods(files []string, asWritten bool, stdin io.Reader) ([]*corev1.Pod, error) {
	if len(files) == 0 {
		data, err := samples.ReadFile("samples/document.yaml")
		if err != nil {
			return nil, err
		}
		return podsIn("samples/document.yaml", data)
	}
	var pods []*corev1.Pod
	for _, name := range files {
		data, err := command.ReadFile(name, stdin)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		more, err := podsIn(name, data)
		if err != nil {
			return nil, err
		}
		pods = append(pods, more...)
	}
	for _, pod := range pods {
		if !asWritten {
			computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.DefaultOptions{})
		}
	}
	return pods, nil
}

// podsIn returns the pods of all documents of a file.
func podsIn(name string, data []byte) ([]*corev1.Pod, error) {
	var pods []*corev1.Pod
	documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for number := 1; ; number++ {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return pods, nil
		}
		if err == nil {
			document, err = yaml.ToJSON(document)
		}
		if err == nil {
			err = checkAmounts(document)
		}
		var more []*corev1.Pod
		if err == nil {
			more, err = podsOf(document)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: document %d: %w", name, number, err)
		}
		pods = append(pods, more...)
	}
}

// manifest is as much as has to be known of an object.
type manifest struct {
	metav1.TypeMeta
	metav1.ObjectMeta `json:"metadata"`
	Items             []json.RawMessage
	Spec              struct {
		Replicas *int32
		Template *corev1.PodTemplateSpec
	}
}

// maxReplicas is more than a node has pods.
const maxReplicas = 1000

// podsOf returns the pods of an object. An empty document has none.
func podsOf(object []byte) ([]*corev1.Pod, error) {
	if string(object) == "null" {
		return nil, nil
	}
	var m manifest
	if err := json.Unmarshal(object, &m); err != nil {
		return nil, err
	}
	switch m.Kind {
	case "Pod":
		var pod corev1.Pod
		if err := json.Unmarshal(object, &pod); err != nil {
			return nil, err
		}
		return []*corev1.Pod{identified(&pod)}, nil
	case "List", "PodList":
		return podsOfItems(m.Items)
	case "Deployment", "StatefulSet", "ReplicaSet", "DaemonSet", "Job":
		return m.podsOfTemplate()
	default:
		return nil, fmt.Errorf("%q is not a kind that runs pods on a node", m.Kind)
	}
}

func podsOfItems(items []json.RawMessage) ([]*corev1.Pod, error) {
	var pods []*corev1.Pod
	for i, item := range items {
		more, err := podsOf(item)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		pods = append(pods, more...)
	}
	return pods, nil
}

// podsOfTemplate returns as many pods as there are replicas, and one where none are stated.
func (m *manifest) podsOfTemplate() ([]*corev1.Pod, error) {
	replicas := int32(1)
	if m.Spec.Replicas != nil {
		replicas = *m.Spec.Replicas
	}
	if m.Spec.Template == nil {
		return nil, fmt.Errorf("%s %s has no template of pods", m.Kind, m.Name)
	}
	if replicas < 0 || replicas > maxReplicas {
		return nil, fmt.Errorf("%s %s: %d replicas on one node", m.Kind, m.Name, replicas)
	}
	var pods []*corev1.Pod
	for i := range replicas {
		pod := &corev1.Pod{Spec: *m.Spec.Template.Spec.DeepCopy()}
		pod.Namespace, pod.Name = m.Namespace, m.Name
		if replicas > 1 {
			pod.Name = fmt.Sprintf("%s-%d", m.Name, i)
		}
		pods = append(pods, identified(pod))
	}
	return pods, nil
}

// identified gives a pod a UID, made of its namespace and name, if it has none.
func identified(pod *corev1.Pod) *corev1.Pod {
	if pod.UID == "" {
		made := unfit.ReplaceAllString(pod.Namespace+"-"+pod.Name, "-")
		pod.UID = types.UID(strings.Trim(made, "-"))
	}
	return pod
}

// unfit matches what cannot be part of the name of a cgroup.
var unfit = regexp.MustCompile(`[^A-Za-z0-9.]+`)

// checkAmounts returns an error for numbers with absurd exponents, wherever they stand.
func checkAmounts(document []byte) error {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case exponent.MatchString(strings.TrimSpace(fmt.Sprint(token))):
			return fmt.Errorf("%q is beyond any amount", fmt.Sprint(token))
		}
	}
}
