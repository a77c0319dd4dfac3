package golden

import (
	"fmt"
	"io"
)

// Pod returns a pod as kubectl get -o json writes it. Each ten pods belong to one ReplicaSet, and each
// thousand to one namespace.
func Pod(i int) string { return fmt.Sprintf(podItem, i, i/10, i/1000) }

// WritePods writes a list of n pods in the order of kubectl, which writes the kind of the list last.
func WritePods(to io.Writer, n int) {
	io.WriteString(to, "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n")
	for i := range n {
		if i > 0 {
			io.WriteString(to, ",\n")
		}
		io.WriteString(to, Pod(i))
	}
	io.WriteString(to, "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\"resourceVersion\": \"\"}\n}\n")
}

// podItem is a pod without its names.
const podItem = `        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "annotations": {"kubernetes.io/config.seen": "2026-01-01T00:00:00Z", "prometheus.io/scrape": "true"},
                "creationTimestamp": "2026-01-01T00:00:00Z",
                "generateName": "storefront-%[2]d-7d9f8b6c5-",
                "labels": {"app": "storefront", "pod-template-hash": "7d9f8b6c5", "topology.kubernetes.io/zone": "a"},
                "name": "storefront-%[2]d-7d9f8b6c5-%[1]d",
                "namespace": "shop-%[3]d",
                "ownerReferences": [{"apiVersion": "apps/v1", "blockOwnerDeletion": true, "controller": true, "kind": "ReplicaSet", "name": "storefront-%[2]d-7d9f8b6c5", "uid": "5e1c7f0a-0000-4000-8000-0000000%05[2]d"}],
                "resourceVersion": "%[1]d",
                "uid": "41c7d2a0-9b53-4f3e-8a0c-7d1a7%07[1]d"
            },
            "spec": {
                "containers": [
                    {
                        "args": ["--port=8080", "--log-level=info"],
                        "env": [
                            {"name": "POD_NAME", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}},
                            {"name": "DATABASE", "value": "postgres://database.shop.svc:5432/shop"}
                        ],
                        "image": "registry.example.com/shop/storefront:v1.2.3",
                        "imagePullPolicy": "IfNotPresent",
                        "livenessProbe": {"failureThreshold": 3, "httpGet": {"path": "/healthz", "port": 8080, "scheme": "HTTP"}, "periodSeconds": 10, "successThreshold": 1, "timeoutSeconds": 1},
                        "name": "app",
                        "ports": [{"containerPort": 8080, "name": "http", "protocol": "TCP"}],
                        "resources": {"limits": {"cpu": "500m", "memory": "512Mi"}, "requests": {"cpu": "250m", "memory": "256Mi"}},
                        "terminationMessagePath": "/dev/termination-log",
                        "terminationMessagePolicy": "File",
                        "volumeMounts": [{"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "name": "kube-api-access", "readOnly": true}]
                    }
                ],
                "dnsPolicy": "ClusterFirst",
                "nodeName": "worker-%[3]d",
                "priority": 0,
                "restartPolicy": "Always",
                "schedulerName": "default-scheduler",
                "serviceAccountName": "default",
                "terminationGracePeriodSeconds": 30,
                "tolerations": [{"effect": "NoExecute", "key": "node.kubernetes.io/not-ready", "operator": "Exists", "tolerationSeconds": 300}]
            },
            "status": {
                "conditions": [
                    {"lastProbeTime": null, "lastTransitionTime": "2026-01-01T00:00:01Z", "status": "True", "type": "Ready"},
                    {"lastProbeTime": null, "lastTransitionTime": "2026-01-01T00:00:01Z", "status": "True", "type": "PodScheduled"}
                ],
                "containerStatuses": [{"containerID": "containerd://3f4e1d2c5b6a", "image": "storefront:v1.2.3", "imageID": "", "lastState": {}, "name": "app", "ready": true, "restartCount": 0, "started": true}],
                "hostIP": "10.0.0.1",
                "phase": "Running",
                "podIP": "10.1.0.1",
                "qosClass": "Burstable",
                "startTime": "2026-01-01T00:00:00Z"
            }
        }`
