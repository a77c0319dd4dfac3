package manifest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	jsondecoder "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubemath/kubemath/examples/podreport/internal/wording"
)

// Input is what was read, in the order of the files.
type Input struct {
	Home      string // of objects that state none
	Workloads []Workload
	Claims    []Claim
	Services  []Service
	Ranges    []LimitRange
	Quotas    []ResourceQuota
	Node      *Node // that pods are put on, if any
	Problems  []Problem
	read      int // objects so far
}

// orHome returns the namespace of an object that states the given one.
func (in *Input) orHome(stated string) string { return cmp.Or(stated, in.Home) }

// kinds are the objects that are reported, by apiVersion and kind.
var kinds = map[[2]string]reflect.Type{
	{"v1", "Pod"}:                   reflect.TypeFor[corev1.Pod](),
	{"v1", "LimitRange"}:            reflect.TypeFor[corev1.LimitRange](),
	{"v1", "ResourceQuota"}:         reflect.TypeFor[corev1.ResourceQuota](),
	{"v1", "PersistentVolumeClaim"}: reflect.TypeFor[corev1.PersistentVolumeClaim](),
	{"v1", "Node"}:                  reflect.TypeFor[corev1.Node](),
	{"v1", "Service"}:               reflect.TypeFor[corev1.Service](),
	{"apps/v1", "Deployment"}:       reflect.TypeFor[appsv1.Deployment](),
	{"apps/v1", "StatefulSet"}:      reflect.TypeFor[appsv1.StatefulSet](),
	{"apps/v1", "DaemonSet"}:        reflect.TypeFor[appsv1.DaemonSet](),
	{"apps/v1", "ReplicaSet"}:       reflect.TypeFor[appsv1.ReplicaSet](),
	{"batch/v1", "Job"}:             reflect.TypeFor[batchv1.Job](),
	{"batch/v1", "CronJob"}:         reflect.TypeFor[batchv1.CronJob](),
}

// addFile reads all documents of a file.
func (in *Input) addFile(name string, data []byte) {
	for _, doc := range documents(data) {
		at := Place{file: name, document: doc.number}
		switch {
		case doc.err != nil:
			in.fail(at, "", doc.err.Error())
		case doc.tree != nil:
			in.addTree(at, doc.tree)
		}
	}
}

func (in *Input) addTree(at Place, tree any) {
	object, ok := tree.(map[string]any)
	if !ok {
		in.fail(at, "", "not an object: want a mapping with apiVersion and kind")
		return
	}
	apiVersion, ok := object["apiVersion"].(string)
	kind, ok2 := object["kind"].(string)
	at.object = nameObject(kind, object)
	switch {
	case !ok2 || kind == "":
		in.fail(at, "kind", "missing, or not a string")
	case !ok || apiVersion == "":
		in.fail(at, "apiVersion", "missing, or not a string")
	case apiVersion == "v1" && kind == "List":
		in.addItems(at, object["items"])
	default:
		in.addObject(at, object, apiVersion, kind)
	}
}

func (in *Input) addItems(at Place, items any) {
	list, ok := items.([]any)
	if !ok && items != nil {
		in.fail(at, "items", "not a list")
		return
	}
	prefix := at.item
	if prefix != "" {
		prefix += "."
	}
	for i, item := range list {
		at.item, at.object = fmt.Sprintf("%sitems[%d]", prefix, i), ""
		in.addTree(at, item)
	}
}

func (in *Input) addObject(at Place, object map[string]any, apiVersion, kind string) {
	typ, known := kinds[[2]string{apiVersion, kind}]
	if !known {
		in.skip(at, fmt.Sprintf("%s of %s is not a kind that is reported", kind, apiVersion))
		return
	}
	if faults := checkQuantities(object, typ); len(faults) > 0 {
		in.failAll(at, unreadable, faults)
		return
	}
	typed := reflect.New(typ).Interface()
	if err := decodeTyped(object, typed); err != nil {
		in.fail(at, "", strings.TrimPrefix(err.Error(), "json: "))
		return
	}
	in.read++
	at.Turn = in.read
	switch o := typed.(type) {
	case *corev1.LimitRange:
		in.addLimitRange(at, o)
	case *corev1.ResourceQuota:
		in.addQuota(at, o)
	case *corev1.PersistentVolumeClaim:
		in.addClaim(at, o)
	case *corev1.Node:
		in.addNode(at, o)
	case *corev1.Service:
		in.addService(at, o)
	default:
		in.addWorkload(at, kind, o)
	}
}

func (in *Input) addWorkload(at Place, kind string, object any) {
	w := workloadOf(object)
	w.Place, w.Kind, w.Home = at, kind, in.orHome(w.Namespace)
	if faults := checkWorkload(&w); len(faults) > 0 {
		in.failAll(at, Invalid, faults)
		return
	}
	in.Workloads = append(in.Workloads, w)
}

// decodeTyped goes through the text of the tree again, since field names are to be
// matched as the API server does, in their exact case.
func decodeTyped(tree map[string]any, into any) error {
	data, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	return jsondecoder.Unmarshal(data, into)
}

func (in *Input) fail(at Place, field, text string) {
	in.failAll(at, unreadable, []fault{{field, text}})
}

func (in *Input) failAll(at Place, grade grade, faults []fault) {
	for _, f := range faults {
		in.Problems = append(in.Problems, Problem{Place: at, field: f.path, text: wording.OneLine(f.text), Grade: grade})
	}
}

func (in *Input) skip(at Place, text string) {
	in.Problems = append(in.Problems, Problem{Place: at, text: text, Grade: Skipped})
}

// nameObject returns "Deployment shop/web", or as much of it as is known.
func nameObject(kind string, object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	name, _ := metadata["name"].(string)
	if name == "" {
		return kind
	}
	return strings.TrimSpace(kind + " " + wording.Qualified(namespace, name))
}
