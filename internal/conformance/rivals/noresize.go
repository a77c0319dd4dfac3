//go:build kubernetes136 || kubernetes138

package main

import "github.com/kubemath/kubemath/internal/measure"

// resizeRows are none: the kubelet's manager has other parameters in these releases.
func resizeRows() []measure.Row { return nil }
