package volumeclaim

import (
	v1 "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity"
)

func GeneratePVCNameFromWorkspaceBinding(claimName string, wb v1.WorkspaceBinding, owner metav1.OwnerReference) string {
	template := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: claimName}}
	return affinity.Workspace{Name: wb.Name, ClaimTemplate: template}.GeneratedClaimName(owner.UID, "")
}
