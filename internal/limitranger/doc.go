// Package limitranger is what the LimitRanger plugin of the API server compares: a request
// and a limit with the min, max and maxLimitRequestRatio of a LimitRange.
//
// Up to 1.37, the server compares integers, not quantities. It counts all three amounts in milli-units
// if each of them has at most resource.MaxMilliValue whole units, and otherwise in whole
// units; both are rounded away from zero. A ratio is a quotient of two floats. Every such rule
// is implemented only here: for amounts and a bound (Amounts), and for callers that look for amounts
// within a ratio (Ratio).
//
// Beyond 64 bits, the integers of the server overflow. The functions here say what they do
// instead. Since 1.38, the server compares quantities, and a limit with the product of a request and a ratio.
//
// Quantities are taken as copies, which may share decimals with others. Those are only read.
//
// Source: minConstraint, maxConstraint, maxRequestConstraint and limitRequestRatioConstraint
// of k8s.io/kubernetes/plugin/pkg/admission/limitranger.
package limitranger
