package resourcelist

import (
	"bytes"
	"math"
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// String returns a list on one line, sorted by name, each amount in its own format:
// cpu=500m,memory=1Gi. An empty list is "".
//
// It is the form of the messages of quotas, and of flags such as --requests of kubectl and
// --kube-reserved of the kubelet.
//
// Source: prettyPrint of k8s.io/apiserver/pkg/admission/plugin/resourcequota.
func String(list corev1.ResourceList) string {
	var b strings.Builder
	for i, name := range quantity.Names(list) {
		if i > 0 {
			b.WriteByte(',')
		}
		q := list[name]
		b.WriteString(string(name) + "=" + quantity.Text(&q))
	}
	return b.String()
}

// Short returns an amount for people, rounded to the nearest, halves away from zero: 1.2Ti for 1280450Mi, 2.3 for
// 2278754192n, 512m for 512123456n. Amounts with up to four digits are exact, such as 1536Mi. Others have a digit
// behind the point below 100, and none above, in the largest unit that does not exceed them; so the text is within 5%
// of the amount. Units are Ki, Mi and so on for resource.BinarySI, and else k, M and so on. Amounts that are written
// with an exponent, as 1e36, are exact.
//
// Do not compare the text, or parse it: the quantity has all digits.
func Short(q resource.Quantity) string {
	own := q.DeepCopy()
	own.RoundUp(resource.Nano) // as when it is stored: there is no suffix below
	v := Float(own)
	if math.Abs(v) >= beyondSuffixes {
		own.Format = resource.DecimalExponent
	}
	number, suffix := own.CanonicalizeBytes(make([]byte, 0, 24))
	if bytes.HasPrefix(suffix, []byte("e")) || len(bytes.TrimPrefix(number, []byte("-"))) <= 4 {
		return string(number) + string(suffix)
	}
	base, suffixes := int64(1000), [...]string{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"}
	if q.Format == resource.BinarySI {
		base, suffixes = 1024, [...]string{"n", "u", "m", "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}
	}
	exact, unit := quantity.Rational(own), 3 // v is the float that is nearest to it
	for ; math.Abs(v) < 0.9995 && unit > 0; unit-- {
		v *= 1000
		exact.Mul(exact, big.NewRat(1000, 1))
	}
	for ; math.Abs(v) >= float64(base)-0.5 && unit+1 < len(suffixes); unit++ {
		v /= float64(base)
		exact.Quo(exact, big.NewRat(base, 1))
	}
	decimals := 0
	if math.Abs(v) < 99.95 {
		decimals = 1
	}
	return strings.TrimSuffix(exact.FloatString(decimals), ".0") + suffixes[unit]
}

// beyondSuffixes is the first amount that has more than three digits with the largest suffix. The zeros of larger ones
// would be lost.
const beyondSuffixes = 1e21
