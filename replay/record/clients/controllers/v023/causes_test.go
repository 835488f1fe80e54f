// Package v023 holds the causes in recordings of controller-runtime v0.23 against what is so.
package v023

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/clients/controllers/causes"
	"github.com/informerscope/informerscope/replay/record/controllerruntime"
)

var version = causes.Version{
	NewCache:   controllerruntime.NewCache,
	Options:    controllerruntime.Options[reconcile.Request],
	NewManager: controllerruntime.NewManager,
	Source:     controllerruntime.Source[client.Object, reconcile.Request],
	Marked:     causes.Priority[priorityqueue.AddOpts],
	Priorities: causes.ByDefault,
}

func TestMain(m *testing.M) { causes.Main(m) }

func TestCauses(t *testing.T) { causes.Run(t, version, 6) }

func TestTransparent(t *testing.T) { causes.Transparent(t, version) }

func TestInformers(t *testing.T) { causes.Informers(t, version) }

func TestStarvation(t *testing.T) {
	causes.Starvation(t, "v023",
		func(name string) record.TypedPriorityQueue[string, priorityqueue.AddOpts] {
			return priorityqueue.New[string](name)
		},
		func(n int) priorityqueue.AddOpts { return priorityqueue.AddOpts{Priority: &n} })
}
