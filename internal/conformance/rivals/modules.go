package main

import (
	"path"
	"runtime/debug"
)

var kubernetes = module("k8s.io/kubernetes")

// module returns the last part of a module's path and the version that this program was built with.
func module(name string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		panic("the program was built without modules")
	}
	for _, dep := range info.Deps {
		if dep.Path == name {
			for dep.Replace != nil {
				dep = dep.Replace
			}
			return path.Base(name) + " " + dep.Version
		}
	}
	panic(name + " is not linked")
}
