// Package corev1 stands in for the packages of the API's types, which would take longer to compile than all else.
package corev1

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Pod is a pod without a spec.
type Pod struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopy copies all that lessons change.
func (p *Pod) DeepCopy() *Pod {
	c := *p
	c.Labels = maps.Clone(p.Labels)
	return &c
}

// DeepCopyObject implements DeepCopy as runtime.Object has it.
func (p *Pod) DeepCopyObject() runtime.Object { return p.DeepCopy() }

// PodList is a list of pods.
type PodList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Pod
}

// DeepCopyObject copies the list. The copy shares the pods.
func (l *PodList) DeepCopyObject() runtime.Object { c := *l; return &c }

// Deployment is a deployment with the one field that lessons read.
type Deployment struct {
	metav1.ObjectMeta
	Spec struct{ Paused bool }
}

// DeepCopy copies it.
func (d *Deployment) DeepCopy() *Deployment { c := *d; return &c }
