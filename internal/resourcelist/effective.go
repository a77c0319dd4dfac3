package resourcelist

// Effective adds up what the containers of a pod need of one resource, in small amounts
// that are not negative (KEP-753). App containers and sidecars run together; each init
// container runs beside the sidecars that were started before it. Sidecars and init
// containers have to be added in their order. The zero value is a pod without any.
type Effective struct{ together, sidecars, peak int64 }

// App adds an app container.
func (e *Effective) App(amount int64) { e.together += amount }

// Sidecar adds an init container that keeps running.
func (e *Effective) Sidecar(amount int64) {
	e.together += amount
	e.sidecars += amount
}

// Init adds an init container that runs to completion.
func (e *Effective) Init(amount int64) { e.peak = max(e.peak, e.sidecars+amount) }

// Total returns what the pod needs. What sidecars use at their start cannot exceed it.
func (e *Effective) Total() int64 { return max(e.together, e.peak) }
