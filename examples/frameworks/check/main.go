// Command check fails a pull request whose manifests a cluster would not admit, or whose pods it would not place.
//
//	check CLUSTER PATH...
//
// CLUSTER is a file of objects, such as kubectl get limitranges,quota,nodes,pods,deployments,replicasets -A -o yaml
// prints them, and each PATH a file or a folder of manifests. Exit status: 0 if all is well, 1 if a file cannot be read,
// and 2 if something would fail.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: check CLUSTER PATH...")
		os.Exit(1)
	}
	failed, err := check(os.Stdout, os.Args[1], os.Args[2:])
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case failed > 0:
		os.Exit(2)
	}
}

// check prints what would fail, and what the answer about a pod would have to know, and returns how many failures there are.
func check(w io.Writer, dump string, manifests []string) (failed int, err error) {
	present, err := read(dump)
	if err != nil {
		return 0, err
	}
	changes, err := read(manifests...)
	if err != nil {
		return 0, err
	}
	cluster, err := whatif.Read(present, whatif.Options{})
	if err != nil {
		return 0, err
	}
	result, _ := cluster.Apply(changes...)
	tell := func(of fmt.Stringer, reason whatif.Reason) {
		if reason.Cause != "" {
			failed++
			fmt.Fprintf(w, "%s: %s\n", of, reason.Message)
		}
	}
	for i := range result.Objects {
		tell(result.Objects[i].Source, result.Objects[i].Reason)
		tell(result.Objects[i].Source, result.Objects[i].Missing)
	}
	for i := range result.Pods {
		tell(result.Pods[i].Owner, result.Pods[i].Waits)
		if unknown := result.Pods[i].Unknown; len(unknown) > 0 {
			fmt.Fprintf(w, "%s: not known: %s\n", result.Pods[i].Owner, strings.Join(unknown, ", "))
		}
	}
	return failed, nil
}

// read returns the objects of files and folders, those of lists one by one. Custom resources are left out, because the
// scheme does not have them.
func read(paths ...string) ([]admit.APIObject, error) {
	files := &resource.FilenameOptions{Filenames: paths, Recursive: true}
	infos, err := resource.NewLocalBuilder().Unstructured().FilenameParam(false, files).Flatten().Do().Infos()
	if err != nil {
		return nil, err
	}
	var objects []admit.APIObject
	for _, info := range infos {
		typed, err := scheme.Scheme.New(info.Object.GetObjectKind().GroupVersionKind())
		if err != nil {
			continue
		}
		if err := scheme.Scheme.Convert(info.Object, typed, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", info.Source, err)
		}
		if object, ok := typed.(admit.APIObject); ok {
			objects = append(objects, object)
		}
	}
	return objects, nil
}
