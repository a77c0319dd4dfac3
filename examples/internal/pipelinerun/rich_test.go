package pipelinerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/pipelinerun"
	"github.com/kubemath/kubemath/internal/golden"
)

// What becomes of an input with everything: the configuration, and the pods and plans of all runs, without that
// configuration and with it.
func TestVariants(t *testing.T) {
	golden.Variants(t, everything, "testdata/rich.txt", "tekton.yaml", "tekton.yaml tekton-config.yaml", "tekton-fields.yaml", "tekton-alone.yaml")
}

func everything(files []string, _ io.Reader, stdout, stderr io.Writer) int {
	kinds := pipelinerun.Kinds()
	kinds[[2]string{"v1", "ConfigMap"}] = reflect.TypeFor[corev1.ConfigMap]()
	var list inventory.List
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			fmt.Fprintln(stderr, err)
			return 1
		}
		defer f.Close()
		list.Read(objects.Reader{Kinds: kinds}.File(name, f))
	}
	var in pipelinerun.Objects
	for _, o := range list.Objects {
		in.Add(o)
		if m, is := o.(*corev1.ConfigMap); is {
			key, err := in.Config.Read(m)
			fmt.Fprintf(stdout, "ConfigMap %s: %t %s %v\n", m.Name, pipelinerun.Configures("ConfigMap", m.Name), key, err)
		}
	}
	write := func(what string, value any) {
		text, err := json.Marshal(value)
		var tree any
		if err == nil {
			err = json.Unmarshal(text, &tree)
		}
		if err != nil {
			fmt.Fprintln(stderr, err)
		}
		if tree = pruned(tree); tree != nil {
			text, _ = json.Marshal(tree)
			fmt.Fprintf(stdout, "  %s %s\n", what, text)
		}
	}
	pod := func(p pipelinerun.TaskPod) {
		p.Own = nil // it is in the input
		write("pod", p)
	}
	write("defaults of containers", in.Config.ContainerDefaults)
	write("Tekton", in.Config.Tekton)
	write("behavior", in.Config.Behavior)
	write("placeholders", in.Config.Assistant())
	for i, o := range list.Objects {
		fmt.Fprintln(stdout, list.Places[i].Named)
		switch o := o.(type) {
		case *pipelinerun.Object[pipelinerun.TaskSpec]:
			write("rejected", messages(o.Spec.Check(field.NewPath("spec"), o.APIVersion)))
			pod(in.Alone(&pipelinerun.Object[pipelinerun.TaskRunSpec]{ObjectMeta: metav1.ObjectMeta{Namespace: o.Namespace, Name: o.Name}, Spec: pipelinerun.RunOfTask(&o.Spec)}))
		case *pipelinerun.Object[pipelinerun.TaskRunSpec]:
			write("of", pipelinerun.PartOf(o, "PipelineRun"))
			write("state", o.Status.State())
			pod(in.Alone(o))
		case *pipelinerun.Object[pipelinerun.PipelineSpec]:
			r := pipelinerun.Run{Object: &pipelinerun.Object[pipelinerun.RunSpec]{ObjectMeta: o.ObjectMeta, Spec: pipelinerun.RunOfPipeline(&o.Spec)}}
			run, _, notes := r.ToRun(o.Spec, &in)
			write("run", run)
			write("notes", notes)
		case *pipelinerun.Object[pipelinerun.RunSpec]:
			r := pipelinerun.Run{Object: o}
			if o.GenerateName != "" {
				o.Name = "" // which the list has made up
			}
			write("made up", r.Identify())
			write("state", o.Status.State())
			spec, missing := r.Pipeline(&in)
			write("version", spec.Version)
			write("missing", missing)
			write("rejected", messages(r.CheckEntries(spec)))
			run, pods, notes := r.ToRun(spec, &in)
			write("run", run)
			for _, p := range pods {
				pod(p)
			}
			write("notes", notes)
		}
	}
	return 0
}

func messages(errs field.ErrorList) (texts []string) {
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return texts
}

// pruned returns a value without what is empty or false.
func pruned(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, each := range v {
			if v[key] = pruned(each); v[key] == nil {
				delete(v, key)
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = pruned(v[i])
		}
		if len(v) == 0 {
			return nil
		}
	case string, bool, float64, nil:
		if v == nil || reflect.ValueOf(v).IsZero() {
			return nil
		}
	}
	return value
}
