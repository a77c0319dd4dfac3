package testkit

// On and Off return the state of a feature gate. Each call returns memory of its own.
func On() *bool { return gate(true) }

func Off() *bool { return gate(false) }

func gate(on bool) *bool { return &on }
