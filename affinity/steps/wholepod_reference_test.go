package steps_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// sourced is an amount, and which kind of object it comes from.
type sourced struct {
	amount *big.Rat
	kind   string
}

// slowAmounts are those of one container by list ("request" or "limit") and resource.
type slowAmounts map[string]sourced

func slowOf(r corev1.ResourceRequirements, kind string) slowAmounts {
	all := slowAmounts{}
	for word, list := range map[string]corev1.ResourceList{"request ": r.Requests, "limit ": r.Limits} {
		for name, q := range list {
			all[word+string(name)] = sourced{testkit.Exact(q), kind}
		}
	}
	return all
}

// replace sets what the other amounts have, if they differ; fill sets only what is missing.
func (a slowAmounts) replace(by slowAmounts) {
	for key, s := range by {
		if had, ok := a[key]; !ok || had.amount.Cmp(s.amount) != 0 {
			a[key] = s
		}
	}
}

func (a slowAmounts) fill(by slowAmounts) {
	for key, s := range by {
		if _, ok := a[key]; !ok {
			a[key] = s
		}
	}
}

// keepOnly removes what the other amounts do not have.
func (a slowAmounts) keepOnly(of slowAmounts) {
	for key := range a {
		if _, ok := of[key]; !ok {
			delete(a, key)
		}
	}
}

// slowPart is an amount in whole units (thousandths of CPU), divided and truncated.
func slowPart(amount *big.Rat, key string, n int64) *big.Rat {
	unit := int64(1)
	if strings.HasSuffix(key, " cpu") {
		unit = 1000
	}
	whole := new(big.Rat).Mul(amount, big.NewRat(unit, 1))
	return new(big.Rat).SetFrac(new(big.Int).Quo(whole.Num(), big.NewInt(n)), big.NewInt(unit))
}

// slowWholePod returns the stored amounts of the pod as Tekton creates it, one container after another.
func slowWholePod(in wholeInput) (all []string) {
	n := int64(0)
	for _, c := range in.Spec.Containers {
		if strings.HasPrefix(c.Name, "step-") {
			n++
		}
	}
	for ref, c := range computeresources.Containers(in.Spec) {
		a := slowOf(c.Resources, "")
		isStep := strings.HasPrefix(ref.Name, "step-")
		for _, run := range in.Runs {
			task := run.ComputeResources
			switch {
			case isStep && task != nil && len(task.Requests)+len(task.Limits) > 0:
				// The limits stand for requests if neither the task nor the step, with its template, has any.
				instead := task.Requests == nil && len(run.Template.Requests) == 0
				for key := range a {
					instead = instead && !strings.HasPrefix(key, "request ")
				}
				parts := slowAmounts{}
				for key, s := range slowOf(*task, "TaskRun") {
					word, name, _ := strings.Cut(key, " ")
					if word == "limit" {
						parts[key] = s
					}
					if word == "request" || instead {
						parts["request "+name] = sourced{slowPart(s.amount, key, n), s.kind}
					}
				}
				a.keepOnly(parts)
				a.replace(parts)
			case isStep:
				override := slowAmounts{}
				for _, o := range run.StepOverrides {
					if "step-"+o.Name == ref.Name {
						override = slowOf(o.Resources, "TaskRun")
					}
				}
				a.replace(override)
				a.fill(slowOf(run.Template, "Task"))
			default:
				for _, o := range run.SidecarOverrides {
					if "sidecar-"+o.Name == ref.Name {
						a.replace(slowOf(o.Resources, "TaskRun"))
					}
				}
			}
		}
		if len(a) == 0 {
			for _, key := range []string{ref.Name, "prefix-" + strings.Split(ref.Name, "-")[0], "default"} {
				if r := in.In.ContainerDefaults[key]; len(r.Requests)+len(r.Limits) > 0 && (key != "prefix-prepare") {
					a = slowOf(r, "ConfigMap")
					break
				}
			}
		}
		for _, lr := range in.In.LimitRanges {
			slowRange(a, lr.Spec.Limits[0], isStep, n)
		}
		for key, s := range a {
			word, name, _ := strings.Cut(key, " ")
			all = append(all, fmt.Sprintf("%s %s %s %s %s", ref.Name, name, word, s.amount.RatString(), s.kind))
		}
		// Requests that follow from limits, which no LimitRange came before.
		for key := range a {
			word, name, _ := strings.Cut(key, " ")
			if _, ok := a["request "+name]; word == "limit" && !ok {
				all = append(all, fmt.Sprintf("%s %s request %s API server", ref.Name, name, a[key].amount.RatString()))
			}
		}
	}
	slices.Sort(all)
	return all
}

// slowRange sets what Tekton sets because of a LimitRange, then the requests that follow from limits, and then what the
// LimitRanger sets.
func slowRange(a slowAmounts, item corev1.LimitRangeItem, isStep bool, n int64) {
	for _, name := range []corev1.ResourceName{"cpu", "memory"} {
		// The server completes the item: the maximum is the default limit, which is the default request, or else the minimum is.
		first := func(lists ...corev1.ResourceList) *big.Rat {
			for _, list := range lists {
				if q, ok := list[name]; ok {
					return testkit.Exact(q)
				}
			}
			return nil
		}
		limit := first(item.Default, item.Max)
		request := first(item.DefaultRequest, item.Default, item.Max, item.Min)
		least := first(item.Min)
		r, l := "request "+string(name), "limit "+string(name)
		set := func(key string, amount *big.Rat, kind string) {
			if _, ok := a[key]; !ok && amount != nil {
				a[key] = sourced{amount, kind}
			}
		}
		if isStep && request != nil {
			part := slowPart(request, r, n)
			if least != nil && least.Cmp(part) > 0 {
				part = least
			}
			if s, ok := a[r]; ok && s.amount.Sign() == 0 && part.Sign() > 0 {
				delete(a, r) // zero counts as missing
			}
			if part.Sign() > 0 {
				set(r, part, "LimitRange")
			}
		}
		if s, ok := a[l]; ok {
			set(r, s.amount, "API server")
		}
		set(l, limit, "LimitRange")
		set(r, request, "LimitRange")
	}
}
