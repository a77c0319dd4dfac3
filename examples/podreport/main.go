// Podreport reports what manifests really ask for: of each workload the requests and
// limits of its containers, those of the whole pod as the scheduler, a quota and the
// kubelet see them, the QoS class and what would make it Guaranteed, which container the
// kernel kills first, what is left of quotas and how many replicas fit, and why the API
// server would reject it; and how many of its pods fit a node, what the kernel there is told
// of them, and which CPU they get when all want it.
//
//	podreport [-f FILE|DIR]... [-n NAMESPACE] [-node-cpu QUANTITY] [-node-memory QUANTITY]
//	          [-o table|json|yaml|html | -summary | -explain RESOURCE] [-strict] [-q] [-ci] [-version]
//
// Without -f, it reports on samples of its own:
//
//	go run ./examples/podreport
//
// Files are YAML or JSON, with as many documents as they like; "-" is the standard
// input, so that it can be asked what a cluster runs:
//
//	kubectl get all,limitranges,resourcequotas,nodes -A -o json | podreport -f -
//
// A dump of a cluster has a Deployment, its ReplicaSets and their pods, which are one workload. What has ended
// does not count, what exists is not held against quotas again, and of an object in several files the last one
// counts.
//
// Of a directory, all files in it and below are read whose names end in .yaml, .yml or
// .json, in the order of their paths; hidden files and directories are left out.
//
// With -explain, it traces one number instead, from what containers state to what the kernel
// is told:
//
//	go run ./examples/podreport -explain limits.memory
//
// With -summary, and by default from 30 workloads on, it writes what pods hold by namespace, quota,
// owner and node; with -o html, one page for a browser:
//
//	go run ./examples/podreport -o html > report.html
//
// Fields that are unknown, and amounts that are hardly meant, such as a memory of 512m, are warnings, or with
// -strict errors, with their file and line. With -ci, what is wrong is written as annotations of GitHub
// Actions; with -q, it is not said what was skipped.
//
// What is read, how it counts, and the JSON of -o json are described in README.md. The exit
// code is
//
//	0  if nothing was wrong,
//	1  if something could not be read, or the report not be written,
//	2  if the API server would reject something that was read, or the pods or claims that
//	   are created for it, even if something else could not be read, and
//	3  if something was wrong with the arguments, so that nothing was read or reported, and
//	130  if it was interrupted.
package main

import "github.com/kubemath/kubemath/examples/podreport/internal/podreport"

func main() { podreport.Main() }
