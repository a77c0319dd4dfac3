package main

// adopterFailures are all tests of adopters that fail with kubemath inside.
var adopterFailures = []failure{}
