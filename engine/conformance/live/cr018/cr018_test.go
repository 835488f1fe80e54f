// Package cr018 compares the engine with controller-runtime v0.18.5.
package cr018

import (
	"context"
	"testing"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
	"github.com/informerscope/informerscope/engine/conformance/live/controllers/managed"
	"github.com/informerscope/informerscope/engine/conformance/live/controllers/untyped"
)

var version = untyped.Version(18, func(c controller.Controller, got func(workqueue.RateLimitingInterface)) error {
	return c.Watch(source.Func(func(_ context.Context, q workqueue.RateLimitingInterface) error {
		got(q)
		return nil
	}))
})

func TestRandom(t *testing.T) { controllers.Random(t, &version) }

func TestTranscripts(t *testing.T) { controllers.Transcripts(t, &version) }

func TestGates(t *testing.T) { managed.Gates(t, version.Minor) }

func TestTakeovers(t *testing.T) { managed.Takeovers(t) }
