package nodes

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A cluster with everything, with each flag, each format, and flags that meet others.
func TestVariants(t *testing.T) {
	golden.Variants(t, Run, "testdata/rich.txt",
		"-f cluster.yaml", "-f cluster.yaml -all", "-f cluster.yaml -n data", "-f cluster.yaml -n data -containers", "-f cluster.yaml -n data -o wide",
		"-f cluster.yaml -pods", "-f cluster.yaml -pods -l pool=web", "-f cluster.yaml -pods -usage top-pods.txt", "-f cluster.yaml -pods -o csv",
		"-f cluster.yaml -containers -o csv -resources cpu -l pool=web", "-f cluster.yaml -containers -o name -l pool=spot",
		"-f cluster.yaml -n shop -containers -usage top-pods.txt -resources cpu,memory", "-f cluster.yaml -pod-labels app=web",
		"-f cluster.yaml -namespace-labels team=web", "-f cluster.yaml -namespace-labels team=web -pod-labels app=old -o csv",
		"-f cluster.yaml -namespace-labels team=none", "-f cluster.yaml -resources gpu,hugepages", "-f cluster.yaml -group-by pool",
		"-f cluster.yaml -group-by pool -usage top-nodes.txt -o csv", "-f cluster.yaml -group-by topology.kubernetes.io/zone -no-taint",
		"-f cluster.yaml -l pool=web", "-f cluster.yaml -node-taints spot -l pool=spot",
		"-f cluster.yaml -node-taints dedicated=gpu:NoSchedule,!spot -o name", "-f cluster.yaml -o csv", "-f cluster.yaml -o csv -sort-by cpu% -no-headers",
		"-f cluster.yaml -o csv -usage top-nodes.txt", "-f cluster.yaml -o csv -field-selector metadata.name!=a-web", "-f cluster.yaml -o json",
		"-f cluster.yaml -o json -group-by pool -resources cpu", "-f cluster.yaml -o json -drain a-web", "-f cluster.yaml -o json -shape a-web -l pool=spot",
		"-f cluster.yaml -o json -pod-labels app=web -containers -usage top-pods.txt", "-f cluster.yaml -usage top-nodes.txt",
		"-f cluster.yaml -usage top-nodes.txt -l pool=web -resources memory", "-f cluster.yaml -kubernetes 1.34", "-f cluster.yaml -scheduler scheduler.yaml",
		"-f cluster.yaml -strict", "-f cluster.yaml -drain a-web", "-f cluster.yaml -drain a-web -n shop",
		"-f cluster.yaml -drain a-web -namespace-labels team=data -resources cpu", "-f cluster.yaml -drain b-web",
		"-f cluster.yaml -drain b-web -l pool=spot", "-f cluster.yaml -drain b-web -group-by pool", "-f cluster.yaml -drain f-spot", "-f cluster.yaml -pack",
		"-f cluster.yaml -pack -drain c-gpu", "-f cluster.yaml -shape cpu=8,memory=16Gi -shape a-web",
		"-f cluster.yaml -shape cpu=8,memory=16Gi,cpu=4,pods=5,nvidia.com/gpu=4 -all",
		"-f calm.yaml", "-f calm.yaml -drain n1", "-f calm.yaml -drain n2", "-f calm.yaml -drain n1 -o json", "-f calm.yaml -pack",
		"-f calm.yaml -shape cpu=1,memory=1Gi", "-f calm.yaml -shape cpu=1,memory=1Gi -shape n1",
		"-f cluster.yaml -pod-labels app=db",
	)
}
