package testkit

// On and Off return the state of a feature gate. Each call returns memory of its own.
func On() *bool { return gate(true) }

func Off() *bool { return gate(false) }

func gate(on bool) *bool { return &on }

// OffIf returns a gate that is off if the condition holds, and otherwise one that has its default.
func OffIf(condition bool) *bool {
	if condition {
		return Off()
	}
	return nil
}

// OlderIf returns the newest release with the older sums of resizes if the condition holds, and otherwise the
// default release.
func OlderIf(condition bool) string {
	if condition {
		return "1.36"
	}
	return ""
}
