// Package v037 records a controller of client-go v0.37.
package v037

import (
	"testing"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/clients"
)

func handle(r *clients.Recording, h record.EventHandler) any { return r.Rec.Handler("web", h) }

func TestUntyped(t *testing.T) {
	text := func(item any) string { return item.(string) }
	clients.Run(t, handle, func(key string) any { return key }, text, func(r *clients.Recording) record.TypedRateLimitingInterface[any] {
		var limiter workqueue.RateLimiter = record.RateLimiter(r.Rec, "web", workqueue.DefaultControllerRateLimiter())
		var q workqueue.RateLimitingInterface = record.Queue(r.Rec, "web", workqueue.NewRateLimitingQueue(limiter))
		return q
	})
}

func TestTyped(t *testing.T) {
	text := func(item cache.ObjectName) string { return item.String() }
	item := func(key string) cache.ObjectName {
		name, err := cache.ParseObjectName(key)
		if err != nil {
			t.Error(err)
		}
		return name
	}
	clients.Run(t, handle, item, text, func(r *clients.Recording) record.TypedRateLimitingInterface[cache.ObjectName] {
		var limiter workqueue.TypedRateLimiter[cache.ObjectName] = record.RateLimiter(r.Rec, "web", workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]())
		var q workqueue.TypedRateLimitingInterface[cache.ObjectName] = record.Queue(r.Rec, "web", workqueue.NewTypedRateLimitingQueue(limiter))
		return q
	})
}

func TestFaults(t *testing.T) {
	text := func(key string) string { return key }
	clients.EachFault(t, "client-go", func(t *testing.T, r *clients.Recording) (clients.Store, func()) {
		limiter := record.RateLimiter(r.Rec, "web", workqueue.DefaultTypedControllerRateLimiter[string]())
		q := record.Queue(r.Rec, "web", workqueue.NewTypedRateLimitingQueue(limiter))
		return clients.StartWorkers(r, q, func(h record.EventHandler) any { return handle(r, h) }, text, text)
	})
}

func TestCauses(t *testing.T) {
	text := func(key string) string { return key }
	named := func(r *clients.Recording, name string, h record.EventHandler) any { return r.Rec.Handler(name, h) }
	clients.Causes(t, named, text, text, func(r *clients.Recording, name string) record.TypedRateLimitingInterface[string] {
		limiter := record.RateLimiter(r.Rec, name, workqueue.DefaultTypedControllerRateLimiter[string]())
		return record.Queue(r.Rec, name, workqueue.NewTypedRateLimitingQueue(limiter))
	})
}
