package division

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/equalparts"
)

// ErrParts is the error of a division into no parts, fewer, or more than 1<<20.
var ErrParts = errors.New("division: the number of parts has to be from 1 to 1048576")

const maxParts = 1 << 20

// Options select how amounts are divided. With the zero value, the parts add up to the whole.
type Options struct {
	// Truncated makes equal parts the same, rounded toward zero to whole units, as Tekton does. They
	// add up to the whole or less; to the whole or more, if it is below zero. By default, each of the
	// first parts gets one of the remaining units.
	Truncated bool

	// RoundUp rounds the amount up to whole units before it is divided, as Tekton does. By default, what
	// remains of a unit belongs to one part.
	RoundUp bool

	// ToEach assigns all of a resource that cannot be divided to every part. The parts do not add up to
	// the whole. By default, it is assigned to the first part.
	ToEach bool
}

// Divide returns q, an amount of the named resource, in n parts: 1m of cpu and 1 of everything else
// is the smallest unit, and a resource that is not [Divisible] stays whole. The package comment says
// how parts are rounded. If n is not above zero, or above 1<<20, the error wraps ErrParts.
//
// Cost: one allocation, and one division for any n, if q is a whole number of units from 0 to 2^52.
func Divide(name corev1.ResourceName, q resource.Quantity, n int, opts Options) ([]resource.Quantity, error) {
	if n <= 0 || n > maxParts {
		return nil, fmt.Errorf("%w: %d", ErrParts, n)
	}
	divided := equalparts.Of(name, q, n, equalparts.Options(opts))
	parts := make([]resource.Quantity, n)
	for i := range parts {
		parts[i] = divided.At(i)
	}
	return parts, nil
}
