package origin

import (
	"cmp"
	"encoding/json"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// What kubectl reads of a cluster to which something is applied: of each namespace; classes, and whether the namespaces are
// there; and with -A, what decides where pods go.
var (
	ofNamespace = []string{"limitranges", "resourcequotas", "pods", "replicationcontrollers", "services",
		"persistentvolumeclaims", "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch",
		"cronjobs.batch", "poddisruptionbudgets.policy"}
	ofCluster = []string{"namespaces", "priorityclasses.scheduling.k8s.io", "runtimeclasses.node.k8s.io", "storageclasses.storage.k8s.io"}
	ofPlaces  = []string{"nodes", "persistentvolumes", "csinodes.storage.k8s.io", "csidrivers.storage.k8s.io", "csistoragecapacities.storage.k8s.io"}
)

// Quotas that several namespaces share, which most clusters do not have: of each namespace, or with -A of all.
const (
	shared        = "globalresourcequotas.capsule.clastix.io"
	sharedApplied = "appliedclusterresourcequotas.quota.openshift.io"
	sharedOfAll   = "clusterresourcequotas.quota.openshift.io"
)

// Cluster returns what kubectl reads of the namespaces, so that the rights of one are enough, or with -A of all and of the
// nodes; and more resources of namespaces.
func Cluster(r objects.Reader, of *command.Common, namespaces []string, more ...string) iter.Seq[objects.Object] {
	r.Check = objects.Unchecked // it is stored already
	c, inNamespace := *of, slices.Concat(ofNamespace, more)
	c.Files, c.Namespace, c.Cluster = nil, "", true
	if c.All {
		return Joined(SharedQuotas(r, &c), Objects(r, &c, nil, slices.Concat(ofCluster, ofPlaces, inNamespace)...))
	}
	classes := origin{Reader: r, strict: c.Strict, besides: true}
	all := []iter.Seq[objects.Object]{Optional(r, &c, shared), classes.output("kubectl", arguments(&c, ofCluster))}
	for _, namespace := range namespaces {
		one := c
		one.Namespace = namespace
		all = append(all, Optional(r, &one, sharedApplied), Objects(r, &one, nil, inNamespace...))
	}
	return Joined(all...)
}

// SharedQuotas returns the quotas that several namespaces share, which kubectl reads where the cluster has them: those of a
// namespace, or with -A all.
func SharedQuotas(r objects.Reader, c *command.Common) iter.Seq[objects.Object] {
	if c.All {
		return Joined(Optional(r, c, shared), Optional(r, c, sharedOfAll))
	}
	return Joined(Optional(r, c, shared), Optional(r, c, sharedApplied))
}

// Joined returns the objects of one source of a cluster after the other. If kubectl does not reach the cluster, it is not asked again.
func Joined(all ...iter.Seq[objects.Object]) iter.Seq[objects.Object] {
	return func(yield func(objects.Object) bool) {
		for _, each := range all {
			for o := range each {
				if !yield(o) || len(o.Problems) > 0 && unreachable.MatchString(o.Problems[0].Text) {
					return
				}
			}
		}
	}
}

// Optional returns the objects of a resource of the cluster, which need not have it.
func Optional(r objects.Reader, c *command.Common, resource string) iter.Seq[objects.Object] {
	o := origin{Reader: r, strict: c.Strict, optional: true}
	return o.output("kubectl", arguments(c, []string{resource}))
}

// Kubernetes returns the cluster that the answers are for, and asks the API server for its version if kubectl reads the
// objects. See KubernetesOf of package command.
func Kubernetes(c *command.Common, kubelets []string, say func(string)) computeresources.Kubernetes {
	return c.KubernetesOf(serverVersion(c), kubelets, say)
}

// usual is the release of a computeresources.Kubernetes that names none.
const usual = "1.37"

// chartRelease returns the version of Kubernetes that helm renders a chart for: that of -kubernetes, or of the API server
// that kubectl reads from, or else the usual one. Without it, helm takes the one that was usual when helm was made.
func chartRelease(c *command.Common) string {
	return cmp.Or(c.Kubernetes.Release, serverVersion(c), usual)
}

// serverVersion returns the version of the API server, "" if it is not asked, because it does not count, or if kubectl does
// not say it: why is said when it reads objects.
func serverVersion(c *command.Common) string {
	if !c.Cluster || c.Kubernetes.Release != "" {
		return ""
	}
	text, _ := Kubectl(c, "version", "--output=json")
	var versions struct {
		ServerVersion struct{ GitVersion string }
	}
	_ = json.Unmarshal(text, &versions)
	return versions.ServerVersion.GitVersion
}

// onDemand are what kubectl reads only if there are some to apply, because quotas know how many there are.
var onDemand = map[string]string{"Secret": "secrets", "ConfigMap": "configmaps",
	"ResourceClaim":         "resourceclaims.resource.k8s.io",
	"ResourceClaimTemplate": "resourceclaimtemplates.resource.k8s.io"}

// Change returns the objects of -f that are selected, and the cluster that they are for: what -on names, or that of kubectl.
// Without -f, it returns samples, which are in two folders. The places of the cluster's objects are unknown.
func Change(c *command.Common, stdin io.Reader, samples fs.FS) (change, cluster *inventory.List) {
	r := objects.Reader{Kinds: inventory.Kinds, Stdin: stdin, Check: objects.Checked(c.Strict), Matters: true}
	home := c.Namespace
	if home == "" && c.Cluster {
		home = CurrentNamespace(c)
	}
	home = cmp.Or(home, corev1.NamespaceDefault)
	change, cluster = &inventory.List{Home: home, Selects: c.Rows.Selects, Check: objects.RejectedName}, &inventory.List{Home: home}
	if len(c.Files) == 0 {
		for folder, l := range map[string]*inventory.List{"samples/cluster": cluster, "samples/change": change} {
			files, _ := fs.Sub(samples, folder) // which is there
			l.Read(r.FS(files))
		}
		return change, cluster
	}
	change.Read(Files(r, c, c.Files))
	if c.Cluster {
		var more []string
		for _, kind := range slices.Sorted(maps.Keys(onDemand)) {
			if change.Has(kind) {
				more = append(more, onDemand[kind])
			}
		}
		cluster.Read(inventory.Packed(Cluster(r, c, inventory.Namespaces(change), more...)))
	} else {
		cluster.ReadDump(r.Files(c.On))
	}
	command.LimitGarbage()
	// The rest of it is large, and only reading needs it.
	return change, &inventory.List{Objects: cluster.Objects, Problems: cluster.Problems, Skipped: cluster.Skipped}
}
