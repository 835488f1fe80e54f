package v019

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/informerscope/informerscope/replay/record/clients/controllers/causes"
	"github.com/informerscope/informerscope/replay/record/controllerruntime/beforev021"
)

var version = causes.Version{
	NewCache: beforev021.NewCache,
	Options:  beforev021.Options[reconcile.Request],
	Source:   beforev021.Source[client.Object, reconcile.Request],
	Marked:   causes.Priority[struct{}],
}

func TestMain(m *testing.M) { causes.Main(m) }

func TestCauses(t *testing.T) { causes.Run(t, version, 6) }

func TestTransparent(t *testing.T) { causes.Transparent(t, version) }

func TestInformers(t *testing.T) { causes.Informers(t, version) }
