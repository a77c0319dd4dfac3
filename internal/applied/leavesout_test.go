package applied_test

import (
	"encoding/json"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/applied"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The answers follow from SetDefaults_PodSpec, and those of what is in it, of k8s.io/kubernetes/pkg/apis/core/v1.
func TestLeavesOut(t *testing.T) {
	app := func(fields string) string { return `{"containers": [{"name": "app"` + fields + `}]}` }
	for name, test := range map[string]struct {
		stored, manifest string
		want             bool
	}{
		"nothing":                           {app(``), app(``), false},
		"a field":                           {app(`, "args": ["x"]`), app(``), true},
		"an empty list":                     {app(`, "args": []`), app(``), false},
		"an empty object":                   {`{"securityContext": {}}`, `{}`, false},
		"an empty object without a default": {`{"affinity": {}}`, `{}`, false},
		"a divisor":                         {app(`, "env": [{"name": "a", "valueFrom": {"resourceFieldRef": {"divisor": "1m"}}}]`), app(`, "env": [{"name": "a", "valueFrom": {"resourceFieldRef": {}}}]`), true},
		"a divisor of zero":                 {app(`, "env": [{"name": "a", "valueFrom": {"resourceFieldRef": {"divisor": "0"}}}]`), app(`, "env": [{"name": "a", "valueFrom": {"resourceFieldRef": {}}}]`), false},
		"what an object has":                {`{"securityContext": {"runAsUser": 0}}`, `{}`, true},
		"a field of an object":              {`{"securityContext": {"runAsUser": 0, "runAsGroup": 0}}`, `{"securityContext": {"runAsUser": 0}}`, true},
		"the manifest has more":             {`{}`, `{"hostname": "x"}`, false},
		"a variable":                        {app(`, "env": [{"name": "a", "value": "1"}]`), app(`, "env": [{"name": "a"}]`), true},
		"a shorter list":                    {app(`, "args": ["x", "y"]`), app(`, "args": ["x"]`), true},
		"a key":                             {`{"nodeSelector": {"a": "1", "b": "1"}}`, `{"nodeSelector": {"a": "1"}}`, true},
		"another key":                       {`{"nodeSelector": {"a": "1"}}`, `{"nodeSelector": {"a": "1", "b": "1"}}`, false},
		"the init containers":               {`{"initContainers": [{"name": "a", "tty": true}]}`, `{"initContainers": [{"name": "a"}]}`, true},
		"the defaults of a pod":             {`{"restartPolicy": "Always", "dnsPolicy": "ClusterFirst", "terminationGracePeriodSeconds": 30, "schedulerName": "default-scheduler"}`, `{}`, false},
		"a grace period of zero, which Covers compares": {`{"terminationGracePeriodSeconds": 30, "setHostnameAsFQDN": true}`, `{"terminationGracePeriodSeconds": 0, "setHostnameAsFQDN": false}`, false},
		"another grace period":                          {`{"terminationGracePeriodSeconds": 31}`, `{}`, true},
		"the account, which stays":                      {`{"serviceAccountName": "a", "serviceAccount": "a"}`, `{}`, false},
		"the defaults of a container":                   {app(`, "imagePullPolicy": "IfNotPresent", "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File"`), app(``), false},
		"a policy that is no default":                   {app(`, "imagePullPolicy": "Never"`), app(``), true},
		"the defaults of a port":                        {app(`, "ports": [{"containerPort": 80, "hostPort": 80, "protocol": "TCP"}]`), app(`, "ports": [{"containerPort": 80}]`), false},
		"the protocol of a port":                        {app(`, "ports": [{"containerPort": 80, "protocol": "UDP"}]`), app(`, "ports": [{"containerPort": 80}]`), true},
		"the defaults of a probe":                       {app(`, "livenessProbe": {"httpGet": {"port": 80, "path": "/", "scheme": "HTTP"}, "timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}`), app(`, "livenessProbe": {"httpGet": {"port": 80}}`), false},
		"a port by name, which Covers compares":         {app(`, "livenessProbe": {"httpGet": {"port": "http"}}`), app(`, "livenessProbe": {"httpGet": {"port": 80}}`), false},
		"a port that is left out":                       {app(`, "livenessProbe": {"httpGet": {"port": "http"}}`), app(`, "livenessProbe": {"httpGet": {}}`), true},
		"the service of a probe":                        {app(`, "livenessProbe": {"grpc": {"port": 80, "service": ""}}`), app(`, "livenessProbe": {"grpc": {"port": 80}}`), false},
		"another service of a probe":                    {app(`, "livenessProbe": {"grpc": {"port": 80, "service": "x"}}`), app(`, "livenessProbe": {"grpc": {"port": 80}}`), true},
		"the defaults of other volumes": {`{"volumes": [
			{"name": "a", "projected": {"defaultMode": 420, "sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 3600}}, {"configMap": {"optional": false}}]}},
			{"name": "b", "ephemeral": {"volumeClaimTemplate": {"spec": {"volumeMode": "Filesystem"}}}},
			{"name": "c", "iscsi": {"iqn": "x", "iscsiInterface": "default"}},
			{"name": "d", "rbd": {"image": "x", "pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"}},
			{"name": "e", "azureDisk": {"diskName": "x", "cachingMode": "ReadWrite", "kind": "Shared", "fsType": "ext4", "readOnly": false}},
			{"name": "f", "scaleIO": {"system": "x", "storageMode": "ThinProvisioned", "fsType": "xfs"}}]}`, `{"volumes": [
			{"name": "a", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}, {"configMap": {}}]}}, {"name": "b", "ephemeral": {"volumeClaimTemplate": {}}},
			{"name": "c", "iscsi": {"iqn": "x"}}, {"name": "d", "rbd": {"image": "x"}}, {"name": "e", "azureDisk": {"diskName": "x"}}, {"name": "f", "scaleIO": {"system": "x"}}]}`, false},
		"the delay of a probe":                            {app(`, "livenessProbe": {"httpGet": {"port": 80}, "initialDelaySeconds": 1}`), app(`, "livenessProbe": {"httpGet": {"port": 80}}`), true},
		"the defaults of a variable":                      {app(`, "env": [{"name": "a", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "x"}}}]`), app(`, "env": [{"name": "a", "valueFrom": {"fieldRef": {"fieldPath": "x"}}}]`), false},
		"the defaults of a volume":                        {`{"volumes": [{"name": "a", "emptyDir": {}}, {"name": "b", "hostPath": {"path": "x", "type": ""}}, {"name": "c", "secret": {"defaultMode": 420}}]}`, `{"volumes": [{"name": "a"}, {"name": "b", "hostPath": {"path": "x"}}, {"name": "c", "secret": {}}]}`, false},
		"a value beside a default, which Covers compares": {app(`, "livenessProbe": {"periodSeconds": 10}`), app(`, "livenessProbe": {"periodSeconds": 20}`), false},
		"the mode of a volume":                            {`{"volumes": [{"name": "c", "secret": {"secretName": "s", "defaultMode": 256}}]}`, `{"volumes": [{"name": "c", "secret": {"secretName": "s"}}]}`, true},
		"an amount written otherwise":                     {`{"overhead": {"cpu": "1000m"}, "volumes": [{"name": "a", "emptyDir": {"sizeLimit": "1Ki"}}]}`, `{"overhead": {"cpu": "1"}, "volumes": [{"name": "a", "emptyDir": {"sizeLimit": "1024"}}]}`, false},
		"an amount of zero":                               {`{"volumes": [{"name": "a", "emptyDir": {"sizeLimit": "0"}}]}`, `{"volumes": [{"name": "a", "emptyDir": {"sizeLimit": "0"}}]}`, false},
		"the amounts, which others have":                  {app(`, "resources": {"requests": {"cpu": "1"}}`), app(``), false},
	} {
		var stored, manifest corev1.PodSpec
		testkit.OK(t, json.Unmarshal([]byte(test.stored), &stored))
		testkit.OK(t, json.Unmarshal([]byte(test.manifest), &manifest))
		testkit.Equal(t, applied.LeavesOut(reflect.ValueOf(stored), reflect.ValueOf(manifest)), test.want, name)
	}
	printed, computed := resource.MustParse("1Ki"), *resource.NewQuantity(1024, resource.BinarySI) // which has no text
	testkit.Equal(t, applied.LeavesOut(reflect.ValueOf(printed), reflect.ValueOf(computed)), false)
}
