// Package controlplane runs a real kube-apiserver, with etcd beside it, for programs and
// tests that want its answers: no kubelet, no cloud, and no scheduler and controllers unless Run starts them.
//
//	binary, err := controlplane.Build(ctx, controlplane.APIServer, os.Stderr)
//	server, err := controlplane.Start(ctx, controlplane.Options{APIServer: binary})
//	defer server.Stop()
//	err = server.Client.Create(ctx, "/api/v1/namespaces", namespace, nil)
//
// Everything listens on free ports of 127.0.0.1 and keeps its data in a temporary
// directory. Nothing is left behind by Stop; if the program is killed before that, the
// kernel ends both processes with it (on Linux), and only the directory stays.
//
// The server authorizes by RBAC. The one user that it knows is in system:masters, and may do
// everything; service accounts may do what they are bound to.
//
// A program of another module, which should not have to link k8s.io/kubernetes, runs
// "go run ./apiserver serve" here instead, and takes the kubeconfig that it prints.
package controlplane
