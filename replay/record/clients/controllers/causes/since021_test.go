//go:build !beforev021

package causes

import (
	"reflect"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record/controllerruntime"
)

var version = Version{
	NewCache:   controllerruntime.NewCache,
	Options:    controllerruntime.Options[reconcile.Request],
	NewManager: controllerruntime.NewManager,
	Source:     controllerruntime.Source[client.Object, reconcile.Request],
	Marked:     Priority[priorityqueue.AddOpts],
	Priorities: byVersion(),
}

// byVersion returns when controllers get a priority queue.
func byVersion() Priorities {
	if minor < 23 {
		return IfAsked
	}
	return ByDefault
}

// priority returns the options with a priority, which is a pointer since v0.23.
func priority(n int) (o priorityqueue.AddOpts) {
	f := reflect.ValueOf(&o).Elem().FieldByName("Priority")
	if f.Kind() == reflect.Pointer {
		f.Set(reflect.ValueOf(&n))
	} else {
		f.SetInt(int64(n))
	}
	return o
}
