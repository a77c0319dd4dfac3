package math

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func SaturatingAdd(a, b int64) int64 { return resourcelist.AddSaturated(a, b) }

func SaturatingSub(a, b int64) int64 { return resourcelist.SubSaturated(a, b) }

func SaturatingMul(a, b int64) int64 { return resourcelist.MulSaturated(a, b) }

func SafeMilliValue(q resource.Quantity) int64 { return resourcelist.Value(q, resource.Milli) }

func SafeValue(q resource.Quantity) int64 { return resourcelist.Value(q, 0) }
