package record

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// meta is the part of an object that recording a handler needs.
type meta struct{ namespace, name, rv string }

func (m *meta) GetNamespace() string       { return m.namespace }
func (m *meta) GetName() string            { return m.name }
func (m *meta) GetResourceVersion() string { return m.rv }

// deletedFinalStateUnknown has the fields of cache.DeletedFinalStateUnknown.
type deletedFinalStateUnknown struct {
	Key string
	Obj any
}

type heard struct{ calls []string }

func (h *heard) OnAdd(obj any, initial bool) { h.calls = append(h.calls, fmt.Sprint("add ", initial)) }
func (h *heard) OnUpdate(oldObj, newObj any) { h.calls = append(h.calls, "update") }
func (h *heard) OnDelete(obj any) {
	h.calls = append(h.calls, "delete")
	if obj == "panic" {
		panic("handlers may")
	}
}

type heardBefore struct{ h heard }

func (h *heardBefore) OnAdd(obj any)            { h.h.calls = append(h.h.calls, "add") }
func (h *heardBefore) OnUpdate(old, new any)    { h.h.OnUpdate(old, new) }
func (h *heardBefore) OnDelete(obj any)         { h.h.OnDelete(obj) }
func ignore(http.ResponseWriter, *http.Request) {}

func TestHandler(t *testing.T) {
	r := newRecorded(t, Options{}, ignore)
	real := &heard{}
	h := r.rec.Handler("metrics", real)
	a, b := &meta{"gt", "a", "7"}, &meta{"gt", "a", "9"}
	h.OnAdd(a, true)
	h.OnAdd(&meta{"", "node", "8"}, false)
	h.OnUpdate(a, b)
	h.OnDelete(b)
	h.OnDelete(deletedFinalStateUnknown{"gt/a", b})
	h.OnDelete(&deletedFinalStateUnknown{"gt/gone", nil})
	h.OnDelete((*meta)(nil))
	h.OnDelete(nil)
	func() {
		defer func() { recover() }()
		h.OnDelete("panic")
	}()
	before := &heardBefore{}
	old := r.rec.HandlerBeforeV027("old", before)
	old.OnAdd(a)
	old.OnUpdate(a, b)
	old.OnDelete(b)
	compare(t, r.lines(), `
{"t":0,"registered":{"handler":"metrics","form":"typed"}}
{"t":0,"id":1,"call":{"handler":"metrics","fn":"OnAdd","kind":"meta","key":"gt/a","rv":"7","took":0,"initial":true}}
{"t":0,"id":2,"call":{"handler":"metrics","fn":"OnAdd","kind":"meta","key":"node","rv":"8","took":0}}
{"t":0,"id":3,"call":{"handler":"metrics","fn":"OnUpdate","kind":"meta","key":"gt/a","oldRV":"7","rv":"9","took":0}}
{"t":0,"id":4,"call":{"handler":"metrics","fn":"OnDelete","kind":"meta","key":"gt/a","rv":"9","took":0}}
{"t":0,"id":5,"call":{"handler":"metrics","fn":"OnDelete","kind":"meta","key":"gt/a","rv":"9","took":0,"tombstone":true}}
{"t":0,"id":6,"call":{"handler":"metrics","fn":"OnDelete","key":"gt/gone","took":0,"tombstone":true}}
{"t":0,"id":7,"call":{"handler":"metrics","fn":"OnDelete","took":0}}
{"t":0,"id":8,"call":{"handler":"metrics","fn":"OnDelete","took":0}}
{"t":0,"id":9,"call":{"handler":"metrics","fn":"OnDelete","took":0,"panicked":true}}
{"t":0,"registered":{"handler":"old","form":"typed"}}
{"t":0,"id":10,"call":{"handler":"old","fn":"OnAdd","kind":"meta","key":"gt/a","rv":"7","took":0}}
{"t":0,"id":11,"call":{"handler":"old","fn":"OnUpdate","kind":"meta","key":"gt/a","oldRV":"7","rv":"9","took":0}}
{"t":0,"id":12,"call":{"handler":"old","fn":"OnDelete","kind":"meta","key":"gt/a","rv":"9","took":0}}
`)
	if got := strings.Join(append(real.calls, before.h.calls...), ", "); got != "add true, add false, update, delete, delete, delete, delete, delete, delete, add, update, delete" {
		t.Error(got)
	}
}
