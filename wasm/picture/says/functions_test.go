//go:build !js

package says

import (
	"testing"

	"github.com/informerscope/informerscope/engine/world"
)

// The functions have the names that the sources of these releases give them.
func TestFunctionsAreOfTheirVersion(t *testing.T) {
	for _, c := range []struct {
		version                                           string
		list, watch, receive, page, work, replace, popped string
	}{
		{"v0.24.17", "Reflector.ListAndWatch", "Reflector.ListAndWatch", "Reflector.watchHandler", "pager.ListPager.List", "workqueue.Type.Add", "DeltaFIFO.Replace", "DeltaFIFO.Pop"},
		{"v0.25.0", "Reflector.list", "Reflector.ListAndWatch", "watchHandler", "pager.ListPager.List", "workqueue.Type.Add", "DeltaFIFO.Replace", "DeltaFIFO.Pop"},
		{"v0.26.15", "Reflector.list", "Reflector.ListAndWatch", "watchHandler", "pager.ListPager.List", "workqueue.Type.Add", "DeltaFIFO.Replace", "DeltaFIFO.Pop"},
		{"v0.27.16", "Reflector.list", "Reflector.watch", "watchHandler", "pager.ListPager.List", "workqueue.Type.Add", "DeltaFIFO.Replace", "DeltaFIFO.Pop"},
		{"v0.28.15", "Reflector.list", "Reflector.watch", "watchHandler", "pager.ListPager.ListWithAlloc", "workqueue.Type.Add", "DeltaFIFO.Replace", "DeltaFIFO.Pop"},
		{"v0.30.14", "Reflector.list", "Reflector.watch", "watchHandler", "pager.ListPager.ListWithAlloc", "workqueue.Type.Add", "DeltaFIFO.Replace", "DeltaFIFO.Pop"},
		{"v0.31.0", "Reflector.list", "Reflector.watch", "handleAnyWatch", "pager.ListPager.ListWithAlloc", "workqueue.Typed.Add", "DeltaFIFO.Replace", "DeltaFIFO.Pop"},
		{"v0.32.9", "Reflector.list", "Reflector.watch", "handleAnyWatch", "pager.ListPager.ListWithAlloc", "workqueue.Typed.Add", "DeltaFIFO.Replace", "DeltaFIFO.Pop"},
		{"v0.33.5", "Reflector.list", "Reflector.watch", "handleAnyWatch", "pager.ListPager.ListWithAlloc", "workqueue.Typed.Add", "RealFIFO.Replace", "RealFIFO.Pop"},
		{"v0.35.10", "Reflector.list", "Reflector.watch", "handleAnyWatch", "pager.ListPager.ListWithAlloc", "workqueue.Typed.Add", "RealFIFO.Replace", "RealFIFO.PopBatch"},
		{"v0.37.2", "Reflector.list", "Reflector.watch", "handleAnyWatch", "pager.ListPager.ListWithAlloc", "workqueue.Typed.Add", "RealFIFO.Replace", "RealFIFO.PopBatch"},
	} {
		p, ok := world.ProfileFor(c.version)
		if !ok {
			t.Fatal(c.version)
		}
		for i, f := range []function{fnList, fnWatch, fnReceive, fnPage, fnWorkAdd, fnReplace, fnPop} {
			if got, want := f.nameIn(&p), [...]string{c.list, c.watch, c.receive, c.page, c.work, c.replace, c.popped}[i]; got != want {
				t.Errorf("in %s the function is %s, want %s", c.version, got, want)
			}
		}
	}
}
