//go:build beforev021

package causes

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record/controllerruntime/beforev021"
)

var version = Version{
	NewManager: beforev021.NewManager,
	NewCache:   beforev021.NewCache,
	Options:    beforev021.Options[reconcile.Request],
	Source:     beforev021.Source[client.Object, reconcile.Request],
	Marked:     Priority[struct{}],
}
