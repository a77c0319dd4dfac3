package comparison

import (
	"embed"

	"github.com/kubemath/kubemath/examples/internal/inventory"
)

// Samples has a folder with a cluster and one with a change.
//
//go:embed samples
var Samples embed.FS

// Kinds are those that are read.
var Kinds = inventory.Kinds

// List is objects in the order of the input.
type List = inventory.List

// NewList returns an empty list. Objects without a namespace are in the given one.
func NewList(home string) List { return List{Home: home} }

// Input is a change, and the cluster that it is applied to.
type Input struct {
	Cluster List
	Old     List // what was applied before: what Change lacks of it is deleted
	Change  List
}
