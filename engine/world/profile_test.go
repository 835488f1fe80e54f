package world

import (
	"testing"
)

func TestProfileFor(t *testing.T) {
	for name, want := range map[string]string{
		"classic": "classic", "current": "current", "batched": "batched",
		"v0.22.17": "classic", "v0.22": "classic", "0.26.4": "classic",
		"v0.27.0": "delta", "v0.32.13": "delta",
		"v0.33.0": "ordered", "v0.34.3": "ordered", "v0.35.3": "batched",
		"v0.36.0": "current", "v0.37.2": "current", "v0.99": "current",
		"": "", "v1.2.3": "", "v0": "", "v0.x": "", "v0.37.2.1": "", "0.37.-1": "", "newest": "",
	} {
		p, ok := ProfileFor(name)
		if ok != (want != "") || p.Name != want {
			t.Errorf("%q is the profile %q, %v; not %q", name, p.Name, ok, want)
		}
	}
	seen := map[string]bool{}
	for _, p := range Profiles() {
		if p.Summary != "profile."+p.Name || p.Versions == "" || seen[p.Name] {
			t.Errorf("%+v", p)
		}
		seen[p.Name] = true
	}
}

func TestGate(t *testing.T) {
	p := Current
	for _, name := range []string{"InOrderInformers", "AtomicFIFO", "UnlockWhileProcessingFIFO", "InOrderInformersBatchProcess", "WatchListClient", "InformerResourceVersion"} {
		var ok bool
		if p, ok = Gate(p, name, false); !ok {
			t.Errorf("there is no gate %s", name)
		}
	}
	if p.InOrder || p.Batch || p.RealFIFO.Atomic || p.RealFIFO.Unlock || p.RealFIFO.EmitBookmark || p.Reflector.StreamingList || p.Indexer.TrackRV {
		t.Errorf("with all gates off: %+v", p)
	}
	if p, _ := Gate(Ordered, "UnlockWhileProcessingFIFO", true); p.RealFIFO.Unlock {
		t.Error("a queue that is not atomic cannot be unlocked")
	}
	if _, ok := Gate(Current, "NoSuchGate", true); ok {
		t.Error("any gate is known")
	}
}
