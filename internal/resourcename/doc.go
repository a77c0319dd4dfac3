// Package resourcename knows the kinds of resources that the API server tells apart by
// their names: native and extended ones, those that can be overcommitted, those counted in
// whole numbers, and which of them may be named where.
//
// Source: k8s.io/kubernetes/pkg/apis/core/helper and validation (v1.36).
package resourcename
