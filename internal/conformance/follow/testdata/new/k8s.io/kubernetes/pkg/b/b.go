package b

func Gone() {}
