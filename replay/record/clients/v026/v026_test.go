// Package v026 records a controller of client-go v0.26.
package v026

import (
	"testing"

	"k8s.io/client-go/util/workqueue"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/clients"
)

type earlyHandler struct{ record.EventHandler }

func (b earlyHandler) OnAdd(obj any) { b.EventHandler.OnAdd(obj, false) }

func TestUntyped(t *testing.T) {
	text := func(item any) string { return item.(string) }
	handle := func(r *clients.Recording, h record.EventHandler) any {
		return r.Rec.HandlerBeforeV027("web", earlyHandler{h})
	}
	clients.Run(t, handle, func(key string) any { return key }, text, func(r *clients.Recording) record.TypedRateLimitingInterface[any] {
		var limiter workqueue.RateLimiter = record.RateLimiter(r.Rec, "web", workqueue.DefaultControllerRateLimiter())
		var q workqueue.RateLimitingInterface = record.Queue(r.Rec, "web", workqueue.NewRateLimitingQueue(limiter))
		return q
	})
}

func TestCauses(t *testing.T) {
	text := func(item any) string { return item.(string) }
	handle := func(r *clients.Recording, name string, h record.EventHandler) any {
		return r.Rec.HandlerBeforeV027(name, earlyHandler{h})
	}
	clients.Causes(t, handle, func(key string) any { return key }, text, func(r *clients.Recording, name string) record.TypedRateLimitingInterface[any] {
		limiter := record.RateLimiter(r.Rec, name, workqueue.DefaultControllerRateLimiter())
		return record.Queue(r.Rec, name, workqueue.NewRateLimitingQueue(limiter))
	})
}
