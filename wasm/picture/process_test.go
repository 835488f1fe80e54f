package picture

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// Each informer of a process is seen in a few numbers, and while a cache lags, it is seen
// to differ from the API server.
func TestSeveralInformersAreSeenSmall(t *testing.T) {
	lines := []string{"profile current", "informer replicasets", "informer pods", "handler main informer=pods", "create pod default/a", "run", "lag server 5s pods", "create pod default/b", "advance 1s"}
	all := frames(t, DefaultWindow, lines...)
	p := all[len(all)-1].Process
	if len(p.Informers) != 2 || p.Factory {
		t.Fatalf("the process has %+v", p)
	}
	pods := p.Informers[1]
	if pods.Name != "pods" || pods.Wire != link.WireOpen || pods.Cached != 1 || pods.Objects != 2 || pods.Differs != 1 || pods.Handlers != 1 || !pods.Synced {
		t.Errorf("the informer of pods is %+v", pods)
	}
	if p.Informers[0].Differs != 0 {
		t.Errorf("the informer of replicasets is %+v", p.Informers[0])
	}
	received := func(m link.Move) bool {
		return m.From == link.PlaceServer && m.To == link.PlaceSmall(1) && m.Chip.Key == "default/a"
	}
	if !slices.ContainsFunc(all, func(f *link.Frame) bool {
		return f.Process.Elsewhere == "pods" && slices.ContainsFunc(f.Moves, received)
	}) {
		t.Error("nothing flies to the informer that is shown small")
	}
	all = frames(t, DefaultWindow, append(lines, "lag server 0s pods", "advance 5s")...)
	if p := all[len(all)-1].Process; p.Informers[1].Differs != 0 || p.Informers[1].Cached != 2 {
		t.Errorf("when the lag is over, the informer of pods is %+v", p.Informers[1])
	}
}

// What a cache lacks, has too many, and has in another version is counted once each.
func TestACacheDiffersByEachObject(t *testing.T) {
	lines := []string{"profile current", "informer pods", "informer services", "handler h"}
	for _, name := range []string{"a", "b", "c"} {
		lines = append(lines, "create pod default/"+name)
	}
	lines = append(lines, "run", "lag server forever", "create pod default/d", "update pod default/a x=1", "delete pod default/b", "advance 1s")
	all := frames(t, DefaultWindow, lines...)
	if x := all[len(all)-1].Process.Informers[0]; x.Differs != 3 || x.Cached != 3 || x.Objects != 3 {
		t.Errorf("the informer is %+v", x)
	}
}

// The informers of a SharedInformerFactory are said to be that.
func TestAFactoryIsSeen(t *testing.T) {
	all := frames(t, DefaultWindow, "profile classic", "informer pods factory", "informer services factory", "informer pods factory", "handler h", "start factory", "run")
	if p := all[len(all)-1].Process; !p.Factory || len(p.Informers) != 2 {
		t.Errorf("the process has %+v", p)
	}
	all = frames(t, DefaultWindow, "profile classic", "informer pods", "handler h", "run")
	if p := all[len(all)-1].Process; p.Factory || len(p.Informers) != 0 {
		t.Errorf("a process with one informer has %+v", p)
	}
}
