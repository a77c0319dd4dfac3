package manifests

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The label of objects that this controller has installed. All manifests of definitions have it.
const (
	OwnerLabel = "app.kubernetes.io/managed-by"
	Owner      = "kubemath-controller"
)

// ErrForeign is wrapped by the error of ApplyOwned that names the objects which something else has installed.
var ErrForeign = errors.New("not installed by this controller, and left alone")

// ApplyOwned applies the documents of a text as Apply does, unless one of them is in the cluster
// already without the label of this controller: then nothing is applied, and the error names all of
// those. For instance, this controller must not change Capsule's own CustomResourceDefinitions.
func ApplyOwned(ctx context.Context, c client.Client, text string) error {
	objects, err := decode(text)
	if err != nil {
		return err
	}
	var foreign []string
	for _, object := range objects {
		if object.GetLabels()[OwnerLabel] != Owner {
			return fmt.Errorf("the manifest of %s %s has no label %s=%s", object.GetKind(), object.GetName(), OwnerLabel, Owner)
		}
		stored := &unstructured.Unstructured{}
		stored.SetGroupVersionKind(object.GroupVersionKind())
		err := c.Get(ctx, client.ObjectKeyFromObject(object), stored)
		switch {
		case apierrors.IsNotFound(err):
		case err != nil:
			return err
		case stored.GetLabels()[OwnerLabel] != Owner:
			foreign = append(foreign, object.GetKind()+" "+object.GetName())
		}
	}
	if len(foreign) > 0 {
		return fmt.Errorf("%w: %s", ErrForeign, strings.Join(foreign, ", "))
	}
	for _, object := range objects {
		if err := apply(ctx, c, object); err != nil {
			return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return nil
}
