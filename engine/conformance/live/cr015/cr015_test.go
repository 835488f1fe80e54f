// Package cr015 compares the engine with controller-runtime v0.15.3.
package cr015

import (
	"context"
	"testing"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
	"github.com/informerscope/informerscope/engine/conformance/live/controllers/managed"
	"github.com/informerscope/informerscope/engine/conformance/live/controllers/untyped"
)

var version = untyped.Version(15, func(c controller.Controller, got func(workqueue.RateLimitingInterface)) error {
	return c.Watch(source.Func(func(_ context.Context, _ handler.EventHandler, q workqueue.RateLimitingInterface, _ ...predicate.Predicate) error {
		got(q)
		return nil
	}), &handler.EnqueueRequestForObject{})
})

func TestRandom(t *testing.T) { controllers.Random(t, &version) }

func TestTranscripts(t *testing.T) { controllers.Transcripts(t, &version) }

func TestGates(t *testing.T) { managed.Gates(t, version.Minor) }

func TestTakeovers(t *testing.T) { managed.Takeovers(t) }
