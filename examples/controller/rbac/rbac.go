// Package rbac has the service account of the controller and its permissions.
package rbac

import (
	"context"
	_ "embed"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The service account of the controller. Its namespace is that of the lease, too.
const (
	Namespace      = "kubemath-system"
	ServiceAccount = "kubemath-controller"
)

// Manifests are the namespace, the service account, the roles and their bindings.
//
//go:embed rbac.yaml
var Manifests string

// AsServiceAccount returns a configuration for the same server that authenticates as the service
// account, with a token that is valid for a day. The client must be allowed to request it.
func AsServiceAccount(ctx context.Context, c client.Client, config *rest.Config) (*rest.Config, error) {
	account := &corev1.ServiceAccount{}
	account.Namespace, account.Name = Namespace, ServiceAccount
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: ptr.To[int64](24 * 60 * 60)}}
	if err := c.SubResource("token").Create(ctx, account, request); err != nil {
		return nil, err
	}
	as := rest.AnonymousClientConfig(config)
	as.BearerToken = request.Status.Token
	return as, nil
}
