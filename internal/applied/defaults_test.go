package applied_test

import (
	"encoding/json"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/internal/applied"
	"github.com/kubemath/kubemath/internal/testkit"
)

// What is merged and what is stored are given as JSON; what the merged object has then is worked by hand from the defaults
// of Kubernetes, and a kube-apiserver 1.37.2 answered kubectl apply so.
func TestKeepDefaults(t *testing.T) {
	const deployments, service, set, daemons, job, cron = "Deployment", "Service", "StatefulSet", "DaemonSet", "Job", "CronJob"
	const controller, replicas, claim, scaler = "ReplicationController", "ReplicaSet", "PersistentVolumeClaim", "HorizontalPodAutoscaler"
	app := func(fields string) string { return pods(`{"containers": [{"name": "a"` + fields + `}]}`) }
	for name, test := range map[string]struct{ kind, merged, stored, want string }{
		"one replica":                                      {deployments, `{"spec": {}}`, `{"spec": {"replicas": 1}}`, `{"spec": {"replicas": 1}}`},
		"two replicas":                                     {deployments, `{"spec": {}}`, `{"spec": {"replicas": 2}}`, `{"spec": {}}`},
		"another number of replicas":                       {deployments, `{"spec": {"replicas": 3}}`, `{"spec": {"replicas": 1}}`, `{"spec": {"replicas": 3}}`},
		"the history":                                      {deployments, `{}`, `{"spec": {"revisionHistoryLimit": 10, "progressDeadlineSeconds": 600}}`, `{"spec": {"revisionHistoryLimit": 10, "progressDeadlineSeconds": 600}}`},
		"another history":                                  {deployments, `{}`, `{"spec": {"revisionHistoryLimit": 2, "progressDeadlineSeconds": 60}}`, `{}`},
		"a strategy":                                       {deployments, `{}`, `{"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}}}`, `{"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}}}`},
		"another strategy":                                 {deployments, `{"spec": {"strategy": {"type": "Recreate"}}}`, `{"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}}}`, `{"spec": {"strategy": {"type": "Recreate"}}}`},
		"other numbers of a strategy":                      {deployments, `{}`, `{"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}}}}`, `{"spec": {"strategy": {"type": "RollingUpdate"}}}`},
		"a policy for a tag":                               {deployments, app(`, "image": "x:1"`), app(`, "image": "x:1", "imagePullPolicy": "IfNotPresent"`), app(`, "image": "x:1", "imagePullPolicy": "IfNotPresent"`)},
		"another policy for a tag":                         {deployments, app(`, "image": "x:1"`), app(`, "image": "x:1", "imagePullPolicy": "Always"`), app(`, "image": "x:1"`)},
		"a policy for the latest":                          {deployments, app(`, "image": "x:latest"`), app(`, "imagePullPolicy": "Always"`), app(`, "image": "x:latest", "imagePullPolicy": "Always"`)},
		"a policy without a tag":                           {deployments, app(`, "image": "r:5000/x"`), app(`, "imagePullPolicy": "Always"`), app(`, "image": "r:5000/x", "imagePullPolicy": "Always"`)},
		"a policy without an image":                        {deployments, app(``), app(`, "imagePullPolicy": "IfNotPresent"`), app(`, "imagePullPolicy": "IfNotPresent"`)},
		"a policy for a digest of the latest":              {deployments, app(`, "image": "r:5000/x:latest@sha256:1"`), app(`, "imagePullPolicy": "Always"`), app(`, "image": "r:5000/x:latest@sha256:1", "imagePullPolicy": "Always"`)},
		"a policy for a digest of a tag":                   {deployments, app(`, "image": "x:1@sha256:1"`), app(`, "imagePullPolicy": "IfNotPresent"`), app(`, "image": "x:1@sha256:1", "imagePullPolicy": "IfNotPresent"`)},
		"a policy for a digest":                            {deployments, app(`, "image": "x@sha256:1"`), app(`, "imagePullPolicy": "IfNotPresent"`), app(`, "image": "x@sha256:1", "imagePullPolicy": "IfNotPresent"`)},
		"a probe":                                          {deployments, app(`, "livenessProbe": {"initialDelaySeconds": 5}`), app(`, "livenessProbe": {"periodSeconds": 10, "timeoutSeconds": 2, "failureThreshold": 3}`), app(`, "livenessProbe": {"initialDelaySeconds": 5, "periodSeconds": 10, "failureThreshold": 3}`)},
		"a probe that is gone":                             {deployments, app(``), app(`, "livenessProbe": {"periodSeconds": 10}`), app(``)},
		"the amounts of a container":                       {deployments, app(``), app(`, "resources": {"requests": {"cpu": "1"}}`), app(``)},
		"a container that is gone":                         {deployments, app(``), pods(`{"containers": [{"name": "b", "terminationMessagePolicy": "File"}]}`), app(``)},
		"a volume without a source":                        {deployments, pods(`{"volumes": [{"name": "v"}]}`), pods(`{"volumes": [{"name": "v", "emptyDir": {}}]}`), pods(`{"volumes": [{"name": "v", "emptyDir": {}}]}`)},
		"a volume with another source":                     {deployments, pods(`{"volumes": [{"name": "v", "secret": {"secretName": "s"}}]}`), pods(`{"volumes": [{"name": "v", "emptyDir": {}}]}`), pods(`{"volumes": [{"name": "v", "secret": {"secretName": "s"}}]}`)},
		"the policy of an image":                           {deployments, pods(`{"volumes": [{"name": "v", "image": {"reference": "x:1"}}, {"name": "w", "image": {"reference": "x:1"}}]}`), pods(`{"volumes": [{"name": "v", "image": {"pullPolicy": "IfNotPresent"}}, {"name": "w", "image": {"pullPolicy": "Always"}}]}`), pods(`{"volumes": [{"name": "v", "image": {"reference": "x:1", "pullPolicy": "IfNotPresent"}}, {"name": "w", "image": {"reference": "x:1"}}]}`)},
		"a volume with a size":                             {deployments, pods(`{"volumes": [{"name": "v"}]}`), pods(`{"volumes": [{"name": "v", "emptyDir": {"sizeLimit": "1Gi"}}]}`), pods(`{"volumes": [{"name": "v"}]}`)},
		"an account":                                       {deployments, pods(`{"serviceAccount": "a"}`), pods(`{"serviceAccountName": "a", "serviceAccount": "a"}`), pods(`{"serviceAccountName": "a", "serviceAccount": "a"}`)},
		"an empty context":                                 {deployments, pods(`{}`), pods(`{"securityContext": {}}`), pods(`{"securityContext": {}}`)},
		"a context":                                        {deployments, pods(`{}`), pods(`{"securityContext": {"runAsUser": 1}}`), pods(`{}`)},
		"the type of a Service":                            {service, `{}`, `{"spec": {"type": "ClusterIP", "sessionAffinity": "None", "clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"]}}`, `{"spec": {"type": "ClusterIP", "sessionAffinity": "None", "clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"]}}`},
		"another type of a Service":                        {service, `{}`, `{"spec": {"type": "NodePort"}}`, `{}`},
		"the traffic of a Service":                         {service, `{"spec": {"type": "NodePort"}}`, `{"spec": {"externalTrafficPolicy": "Cluster", "internalTrafficPolicy": "Cluster"}}`, `{"spec": {"type": "NodePort", "externalTrafficPolicy": "Cluster", "internalTrafficPolicy": "Cluster"}}`},
		"the local traffic of a Service":                   {service, `{"spec": {"type": "LoadBalancer"}}`, `{"spec": {"externalTrafficPolicy": "Local", "internalTrafficPolicy": "Local"}}`, `{"spec": {"type": "LoadBalancer"}}`},
		"the traffic of a LoadBalancer":                    {service, `{"spec": {"type": "LoadBalancer"}}`, `{"spec": {"externalTrafficPolicy": "Cluster"}}`, `{"spec": {"type": "LoadBalancer", "externalTrafficPolicy": "Cluster"}}`},
		"no external traffic":                              {service, `{"spec": {"type": "ClusterIP"}}`, `{"spec": {"externalTrafficPolicy": "Cluster"}}`, `{"spec": {"type": "ClusterIP"}}`},
		"a Service without an address":                     {service, `{"spec": {"type": "ExternalName"}}`, `{"spec": {"type": "ClusterIP", "clusterIP": "10.0.0.1"}}`, `{"spec": {"type": "ExternalName"}}`},
		"the target of a port":                             {service, `{"spec": {"ports": [{"port": 80}]}}`, `{"spec": {"ports": [{"port": 80, "targetPort": 80, "protocol": "TCP"}]}}`, `{"spec": {"ports": [{"port": 80, "targetPort": 80, "protocol": "TCP"}]}}`},
		"another target of a port":                         {service, `{"spec": {"ports": [{"port": 80}]}}`, `{"spec": {"ports": [{"port": 80, "targetPort": 8080, "protocol": "UDP"}]}}`, `{"spec": {"ports": [{"port": 80}]}}`},
		"a rolling update":                                 {daemons, `{}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}}}}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}}}}`},
		"a rolling update of two":                          {daemons, `{}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 2}}}}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate"}}}`},
		"ordered pods":                                     {set, `{}`, `{"spec": {"podManagementPolicy": "OrderedReady", "updateStrategy": {"type": "OnDelete"}}}`, `{"spec": {"podManagementPolicy": "OrderedReady"}}`},
		"the update of a set":                              {set, `{}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0, "maxUnavailable": 1}}}}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0, "maxUnavailable": 1}}}}`},
		"the update of a set that names its type":          {set, `{"spec": {"updateStrategy": {"type": "RollingUpdate"}}}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}}}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate"}}}`},
		"claims that are retained":                         {set, `{}`, `{"spec": {"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"}}}`, `{"spec": {"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"}}}`},
		"claims that are deleted":                          {set, `{}`, `{"spec": {"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Delete"}}}`, `{}`},
		"the numbers of a Job":                             {job, `{}`, `{"spec": {"parallelism": 1, "completions": 2, "backoffLimit": 6, "suspend": false}}`, `{"spec": {"parallelism": 1, "backoffLimit": 6, "suspend": false}}`},
		"a suspended Job":                                  {job, `{}`, `{"spec": {"suspend": true}}`, `{}`},
		"the policy of a CronJob":                          {cron, `{}`, `{"spec": {"concurrencyPolicy": "Allow", "successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 2}}`, `{"spec": {"concurrencyPolicy": "Allow", "successfulJobsHistoryLimit": 3}}`},
		"the strategy of a Deployment that names its type": {deployments, `{"spec": {"strategy": {"type": "RollingUpdate"}}}`, `{"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}}}`, `{"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}}}`},
		"a volume without a source, which was a Secret":    {deployments, pods(`{"volumes": [{"name": "v"}]}`), pods(`{"volumes": [{"name": "v", "secret": {}}]}`), pods(`{"volumes": [{"name": "v"}]}`)},
		"a list that is replaced":                          {deployments, pods(`{"tolerations": [{"key": "a"}]}`), pods(`{"tolerations": [{"key": "a", "operator": "Equal", "effect": "NoExecute"}]}`), pods(`{"tolerations": [{"key": "a"}]}`)},
		"the probe of a container whose place is another":  {deployments, pods(`{"containers": [{"name": "b", "livenessProbe": {}}, {"name": "a"}]}`), pods(`{"containers": [{"name": "a"}, {"name": "b", "livenessProbe": {"periodSeconds": 10}}]}`), pods(`{"containers": [{"name": "b", "livenessProbe": {"periodSeconds": 10}}, {"name": "a"}]}`)},
		"the partition of a set, without a maximum":        {set, `{}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}}}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}}}`},
		"the update of a set that names a partition":       {set, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}}}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 2, "maxUnavailable": 1}}}}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0, "maxUnavailable": 1}}}}`},
		"the update of a set that names only a partition":  {set, `{"spec": {"updateStrategy": {"rollingUpdate": {"partition": 1}}}}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}}}`, `{"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}}}`},
		"all defaults of a ReplicationController":          {controller, `{}`, `{"spec": {"replicas": 1}}`, `{"spec": {"replicas": 1}}`},
		"all defaults of a ReplicaSet":                     {replicas, `{}`, `{"spec": {"replicas": 1}}`, `{"spec": {"replicas": 1}}`},
		"all defaults of a StatefulSet":                    {set, `{}`, `{"spec": {"replicas": 1, "revisionHistoryLimit": 10}}`, `{"spec": {"replicas": 1, "revisionHistoryLimit": 10}}`},
		"all defaults of a DaemonSet":                      {daemons, `{}`, `{"spec": {"revisionHistoryLimit": 10}}`, `{"spec": {"revisionHistoryLimit": 10}}`},
		"all defaults of a Job":                            {job, `{}`, `{"spec": {"parallelism": 1, "backoffLimit": 6, "completionMode": "NonIndexed", "suspend": false}}`, `{"spec": {"parallelism": 1, "backoffLimit": 6, "completionMode": "NonIndexed", "suspend": false}}`},
		"all defaults of a CronJob":                        {cron, `{}`, `{"spec": {"concurrencyPolicy": "Allow", "suspend": false, "successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 1}}`, `{"spec": {"concurrencyPolicy": "Allow", "suspend": false, "successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 1}}`},
		"all defaults of a claim":                          {claim, `{}`, `{"spec": {"volumeMode": "Filesystem"}}`, `{"spec": {"volumeMode": "Filesystem"}}`},
		"no defaults of a DaemonSet":                       {daemons, `{}`, `{"spec": {"revisionHistoryLimit": 1, "minReadySeconds": 1}}`, `{}`},
		"no defaults of a CronJob":                         {cron, `{}`, `{"spec": {"concurrencyPolicy": "Forbid", "suspend": true, "successfulJobsHistoryLimit": 1, "failedJobsHistoryLimit": 3}}`, `{}`},
		"no defaults of a Job":                             {job, `{}`, `{"spec": {"parallelism": 6, "backoffLimit": 1, "completionMode": "Indexed", "activeDeadlineSeconds": 1}}`, `{}`},
		"no defaults of a claim":                           {claim, `{}`, `{"spec": {"volumeMode": "Block"}}`, `{}`},
		"no defaults of an autoscaler":                     {scaler, `{}`, `{"spec": {"scaleTargetRef": {"apiVersion": "v1"}, "minReplicas": 2}}`, `{}`},
		"the node port, which goes with its type":          {service, `{"spec": {"ports": [{"port": 80}]}}`, `{"spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30000}]}}`, `{"spec": {"ports": [{"port": 80}]}}`},
		"the node port":                                    {service, `{"spec": {"type": "NodePort", "ports": [{"port": 80}]}}`, `{"spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30000}]}}`, `{"spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30000}]}}`},
		"the node port of a name":                          {service, `{"spec": {"type": "LoadBalancer", "ports": [{"name": "b", "port": 81}, {"name": "a", "port": 82}, {"name": "c", "port": 83}]}}`, `{"spec": {"type": "NodePort", "ports": [{"name": "a", "port": 80, "nodePort": 30000}, {"name": "b", "port": 81, "nodePort": 30001}]}}`, `{"spec": {"type": "LoadBalancer", "ports": [{"name": "b", "port": 81, "nodePort": 30001}, {"name": "a", "port": 82, "nodePort": 30000}, {"name": "c", "port": 83}]}}`},
		"another node port":                                {service, `{"spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30001}]}}`, `{"spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30000}]}}`, `{"spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30001}]}}`},
		"a node port that another has now":                 {service, `{"spec": {"type": "NodePort", "ports": [{"name": "a", "port": 80}, {"name": "b", "port": 81, "nodePort": 30000}]}}`, `{"spec": {"type": "NodePort", "ports": [{"name": "a", "port": 80, "nodePort": 30000}]}}`, `{"spec": {"type": "NodePort", "ports": [{"name": "a", "port": 80}, {"name": "b", "port": 81, "nodePort": 30000}]}}`},
		"no node ports of a LoadBalancer":                  {service, `{"spec": {"type": "LoadBalancer", "allocateLoadBalancerNodePorts": false, "ports": [{"port": 80}]}}`, `{"spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30000}]}}`, `{"spec": {"type": "LoadBalancer", "allocateLoadBalancerNodePorts": false, "ports": [{"port": 80}]}}`},
		"the node port of a LoadBalancer that asks for it": {service, `{"spec": {"type": "LoadBalancer", "allocateLoadBalancerNodePorts": true, "ports": [{"port": 80}]}}`, `{"spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30000}]}}`, `{"spec": {"type": "LoadBalancer", "allocateLoadBalancerNodePorts": true, "ports": [{"port": 80, "nodePort": 30000}]}}`},
		"none before":                                      {service, `{"spec": {"type": "NodePort", "ports": [{"port": 80}]}}`, `{"spec": {"type": "ClusterIP", "ports": [{"port": 80, "nodePort": 30000}]}}`, `{"spec": {"type": "NodePort", "ports": [{"port": 80}]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			of := func(text string) runtime.Object {
				object := map[string]runtime.Object{deployments: &appsv1.Deployment{}, service: &corev1.Service{}, set: &appsv1.StatefulSet{},
					daemons: &appsv1.DaemonSet{}, job: &batchv1.Job{}, cron: &batchv1.CronJob{}, controller: &corev1.ReplicationController{},
					replicas: &appsv1.ReplicaSet{}, claim: &corev1.PersistentVolumeClaim{}, scaler: &autoscalingv2.HorizontalPodAutoscaler{}}[test.kind]
				testkit.OK(t, json.Unmarshal([]byte(text), object))
				return object
			}
			merged, stored := of(test.merged), of(test.stored)
			applied.KeepDefaults(merged, stored)
			testkit.NoDiff(t, merged, of(test.want))
			testkit.NoDiff(t, stored, of(test.stored), "stored")
		})
	}
}

// What is merged shares no memory with what is stored.
func TestKeptDefaultsAreCopies(t *testing.T) {
	merged, stored := deployment(t, `{}`), deployment(t, `{"spec": {"replicas": 1}}`)
	applied.KeepDefaults(merged, stored)
	*merged.Spec.Replicas = 2
	testkit.Equal(t, *stored.Spec.Replicas, 1, "stored")
}
