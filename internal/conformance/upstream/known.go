package main

// failures are the tests of upstream's that fail with kubemath inside, all of them.
var failures = []failure{}

// differences are the functions whose answers are not always upstream's, all of them.
var differences = []difference{}
