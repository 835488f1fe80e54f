// Package v032 records a controller of client-go v0.32.
package v032

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

func TestCauses(t *testing.T) {
	text := func(key string) string { return key }
	named := func(r *clients.Recording, name string, h record.EventHandler) any { return r.Rec.Handler(name, h) }
	clients.Causes(t, named, text, text, func(r *clients.Recording, name string) record.TypedRateLimitingInterface[string] {
		limiter := record.RateLimiter(r.Rec, name, workqueue.DefaultTypedControllerRateLimiter[string]())
		return record.Queue(r.Rec, name, workqueue.NewTypedRateLimitingQueue(limiter))
	})
}
