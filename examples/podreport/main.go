// Podreport reports what manifests really request. For each workload it shows the requests and
// limits of its containers; those of the pod, as the scheduler, quotas and the kubelet compute
// them; the QoS class, and what would make it Guaranteed; the order in which the kernel kills
// containers; the remaining quota, and how many replicas fit; and why the API server would reject
// it. For each node it shows how many pods fit, their cgroup settings, and the CPU that they get if
// all use as much as they can.
//
//	podreport [-f FILE|DIR]... [-n NAMESPACE] [-node-cpu QUANTITY] [-node-memory QUANTITY]
//	          [-o table|json|yaml|html | -summary | -explain RESOURCE] [-kubernetes VERSION] [-strict]
//	          [-q] [-ci] [-version]
//
// Without -f, it reports on built-in samples:
//
//	go run ./examples/podreport
//
// Files are YAML or JSON, with any number of documents; "-" is the standard input, for example
// for the objects of a cluster:
//
//	kubectl get all,limitranges,resourcequotas,nodes -A -o json | podreport -f -
//
// A Deployment, its ReplicaSets and their pods are one workload. Pods and Jobs that have ended do not
// count. Existing objects are part of the usage of quotas and are not counted twice. If an object is
// in several files, the last one counts.
//
// In a directory and below it, all files whose names end in .yaml, .yml or .json are read, in the
// order of their paths. Hidden files and directories are ignored.
//
// With -explain, it shows only how one number is computed, from the amounts of the containers to the
// cgroup settings:
//
//	go run ./examples/podreport -explain limits.memory
//
// With -summary, and by default for 30 workloads or more, it writes what pods request by namespace,
// quota, owner and node; with -o html, one page for a browser:
//
//	go run ./examples/podreport -o html > report.html
//
// Unknown fields, and amounts that are probably mistakes, such as a memory of 512m, are warnings, or
// errors with -strict, with their file and line. So is the next run of a CronJob of a cluster, if a quota has no room
// for it now. With -ci, errors, rejections and warnings are written
// as annotations of GitHub Actions. With -q, there are no notes about skipped objects.
//
// README.md describes which kinds are read, how they count, and the JSON of -o json. The exit code is
//
//	0  on success,
//	1  if the arguments are invalid, or some input could not be read,
//	2  if the API server would reject an object in the input, or the pods or claims that
//	   are created for it, even if other input could not be read,
//	3  if the program itself failed, or the report could not be written, and
//	130  if it was interrupted.
package main

import "github.com/kubemath/kubemath/examples/podreport/internal/podreport"

func main() { podreport.Main() }
