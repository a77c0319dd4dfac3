package objects_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// fewKinds are those of the scheme of kubectl's decoder here.
var fewKinds = objects.Kinds{
	{"v1", "Pod"}: reflect.TypeFor[corev1.Pod](), {"v1", "Service"}: reflect.TypeFor[corev1.Service](),
	{"v1", "LimitRange"}: reflect.TypeFor[corev1.LimitRange](), {"v1", "Node"}: reflect.TypeFor[corev1.Node](),
	{"apps/v1", "Deployment"}: reflect.TypeFor[appsv1.Deployment](), {"apps/v1", "DaemonSet"}: reflect.TypeFor[appsv1.DaemonSet](),
}

// kubectl decodes a file as kubectl does: documents by util/yaml, and objects by the decoder of a scheme, without strict
// errors. It returns the objects of our kinds, and whether every document could be read.
func kubectl(text []byte) (all []runtime.Object, whole bool) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		panic(err)
	}
	if err := appsv1.AddToScheme(scheme); err != nil {
		panic(err)
	}
	decoder := serializer.NewCodecFactory(scheme).UniversalDeserializer()
	var add func(raw []byte)
	add = func(raw []byte) {
		object, kind, err := decoder.Decode(raw, nil, nil)
		if err != nil {
			return // of another kind, or wrong
		}
		if list, isList := object.(*corev1.List); isList {
			for _, item := range list.Items {
				add(item.Raw)
			}
			return
		}
		if meta.IsListType(object) { // such as a PodList
			if apiVersion, name := kind.ToAPIVersionAndKind(); fewKinds[[2]string{apiVersion, strings.TrimSuffix(name, "List")}] == nil {
				return
			}
			if err := meta.EachListItem(object, func(item runtime.Object) error {
				all = append(all, item)
				return nil
			}); err != nil {
				panic(err)
			}
			return
		}
		if apiVersion, name := kind.ToAPIVersionAndKind(); fewKinds[[2]string{apiVersion, name}] != nil {
			all = append(all, object)
		}
	}
	documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		var raw runtime.RawExtension
		switch err := documents.Decode(&raw); err {
		case nil:
			raw.Raw = bytes.TrimSpace(raw.Raw)
			if len(raw.Raw) > 0 && string(raw.Raw) != "null" {
				add(raw.Raw)
			}
		case io.EOF:
			return all, true
		default:
			return all, false
		}
	}
}

// ours returns the objects that are read, and the problems.
func ours(text []byte) (all []runtime.Object, problems []objects.Problem) {
	for o := range (objects.Reader{Kinds: fewKinds}).File("f", bytes.NewReader(text)) {
		if o.Typed != nil {
			all = append(all, o.Typed.(runtime.Object))
		}
		problems = append(problems, o.Problems...)
	}
	return all, problems
}

// differs returns how what is read differs from what kubectl reads, "" if it does not. Behind a document that kubectl
// cannot read, there may be more.
func differs(text []byte) string {
	want, whole := kubectl(text)
	got, problems := ours(text)
	if !whole && len(got) > len(want) {
		got = got[:len(want)]
	}
	for _, p := range problems {
		if strings.Contains(p.Text, "is out of range") || strings.Contains(p.Text, " is negative") || strings.Contains(p.Text, "expand to too much text") {
			return "" // a limit of ours
		}
	}
	return cmp.Diff(texts(want), texts(got))
}

// texts returns objects as JSON, without their kinds, which the items of lists need not have.
func texts(all []runtime.Object) (texts []string) {
	for _, o := range all {
		o.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		text, err := json.Marshal(o)
		texts = append(texts, fmt.Sprint(string(text), err))
	}
	return texts
}

// The files of this project, and those that nobody should write, are read as kubectl reads them.
func TestReadsWhatKubectlReads(t *testing.T) {
	files := map[string][]byte{}
	for _, in := range golden.Broken() {
		endless := in.Name == "aliases of a long text" || strings.Contains(in.Text, "e999999999") || strings.Contains(in.Text, "e-999999999")
		if len(in.Text) < 1<<20 && !endless { // for which kubectl needs very long, or all memory
			files[in.Name] = []byte(in.Text)
		}
	}
	for _, pattern := range []string{"../../kubemath/internal/*/samples/*", "../../kubemath/internal/*/testdata/*.yaml", "../../kubemath/internal/podreport/testdata/*/*/*.yaml", "../*/samples/*"} {
		for _, name := range golden.Files(t, pattern) {
			if text, err := os.ReadFile(name); err == nil {
				files[name] = text
			}
		}
	}
	if len(files) < 80 {
		t.Fatalf("%d files", len(files))
	}
	for name, text := range files {
		switch name {
		case "byte order mark": // which kubectl's decoder does not know
			continue
		case "items of what is no list", "Lists in lists, too deep": // kinds behind items are not known in time
			continue
		}
		testkit.Equal(t, differs(text), "", name)
	}
}

// strangers is the environment variable that names directories whose files are read, separated as in PATH.
const strangers = "KUBEMATH_STRANGERS"

// No file takes longer than 5 seconds, none panics, and all are read as kubectl reads them.
func TestStrangers(t *testing.T) {
	if os.Getenv(strangers) == "" {
		t.Skip("set " + strangers + " to directories of manifests, such as the cache of modules")
	}
	files, read, slowest := 0, 0, time.Duration(0)
	for _, root := range filepath.SplitList(os.Getenv(strangers)) {
		err := filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || !slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(name))) {
				return nil
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil
			}
			files++
			begin := time.Now()
			got, problems := ours(text)
			took := time.Since(begin)
			slowest = max(slowest, took)
			read += len(got)
			if took > 20*time.Second {
				t.Errorf("%s: takes %v", name, took)
			}
			for _, p := range problems {
				if p.Grade == objects.Failed {
					t.Errorf("%s: %v", name, p)
				}
			}
			if len(text) > 4<<20 {
				return nil // kubectl's decoder takes long
			}
			testkit.Equal(t, differs(text), "", name)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d files, %d objects of these kinds, the slowest took %v", files, read, slowest)
}
