// Package explored is where k8s.io/sample-controller is put while it is explored.
package explored
