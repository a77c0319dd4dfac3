// Package schedulerlibrary compares the placement of pods with SIG Scheduling's scheduler-library, which runs the plugins
// of the scheduler over a snapshot. It requires another release of Kubernetes than the modules beside this one, so that it
// has a module of its own.
package schedulerlibrary
