package world

import (
	"reflect"
	"strings"
	"testing"
)

func TestProfileFor(t *testing.T) {
	for name, want := range map[string]string{
		"classic": "classic", "current": "current", "batched": "batched",
		"v0.22.17": "classic", "v0.22": "classic", "0.26.4": "classic",
		"v0.27.0": "delta", "v0.32.13": "delta",
		"v0.33.0": "ordered", "v0.34.3": "ordered", "v0.35.3": "batched",
		"v0.36.0": "current", "v0.37.2": "current", "v0.37": "current", "v0.22.0": "classic",
		"v1.32": "delta", "1.34.2": "ordered", "v0.22.18": "classic", "v0.37.3": "current",
		"v0.38": Beta.Name, "v1.38": Beta.Name, "v0.38.0-beta.0": Beta.Name, "0.38.0-beta.0": Beta.Name, "v0.38 beta": Beta.Name,
		"v0.21": "", "v2.32": "", "v0.38.0": "", "v0.38.0-alpha.2": "", "v0.38.0-beta.1": "", "v0.99": "",
		"": "", "v1.2.3": "", "v0": "", "v0.x": "", "v0.37.2.1": "", "0.37.-1": "", "newest": "",
	} {
		p, ok := ProfileFor(name)
		if ok != (want != "") || p.Name != want {
			t.Errorf("%q is the profile %q, %v; not %q", name, p.Name, ok, want)
		}
	}
	for name, want := range map[string]string{"v0.37.3": "v0.37.2", "v1.24.99": "v0.24.17", "v0.37": "", "v0.37.2": "", "v0.38.0": "", "current": ""} {
		if played, newer := Newer(name); played != want || newer != (want != "") {
			t.Errorf("%s is played as %q, %v", name, played, newer)
		}
	}
	if p, _ := ProfileFor("v1.24.99"); p.Versions != "v0.24.17" {
		t.Errorf("v1.24.99 is played as %s", p.Versions)
	}
	seen := map[string]bool{}
	for _, p := range Profiles() {
		if p.Summary != "profile."+p.Name && p.Name != Beta.Name || p.Versions == "" || seen[p.Name] {
			t.Errorf("%+v", p)
		}
		seen[p.Name] = true
	}
}

// TestProfileBetween: a version between two profiles has some of the newer one's gates.
func TestProfileBetween(t *testing.T) {
	for version, want := range map[string]struct{ runsOnce, keeps, losesKept, gone, syncByRV, wraps, deletesQueued, registrations, initialList, oneBackoff, lateIndexers, transformsSync bool }{
		"v0.22.17": {},
		"v0.23.5":  {runsOnce: true, keeps: true, gone: true, losesKept: true, transformsSync: true},
		"v0.23.6":  {runsOnce: true, keeps: true, gone: true, transformsSync: true},
		"v0.23.17": {runsOnce: true, keeps: true, gone: true, transformsSync: true},
		"v0.24.12": {runsOnce: true, keeps: true, gone: true, syncByRV: true, transformsSync: true},
		"v0.24.13": {runsOnce: true, keeps: true, gone: true, syncByRV: true, deletesQueued: true, transformsSync: true},
		"v0.25.8":  {runsOnce: true, keeps: true, gone: true, syncByRV: true, wraps: true, transformsSync: true},
		"v0.25":    {runsOnce: true, keeps: true, gone: true, syncByRV: true, wraps: true, deletesQueued: true, transformsSync: true},
		"v0.26.3":  {runsOnce: true, keeps: true, gone: true, syncByRV: true, wraps: true, registrations: true, transformsSync: true},
		"v0.26.15": {runsOnce: true, keeps: true, gone: true, syncByRV: true, wraps: true, registrations: true, deletesQueued: true, transformsSync: true},
		"v0.27.0":  {runsOnce: true, keeps: true, gone: true, syncByRV: true, wraps: true, registrations: true, deletesQueued: true, initialList: true, transformsSync: true},
		"v0.29":    {runsOnce: true, keeps: true, gone: true, syncByRV: true, wraps: true, registrations: true, deletesQueued: true, initialList: true, oneBackoff: true, transformsSync: true},
		"v0.30.14": {runsOnce: true, keeps: true, gone: true, syncByRV: true, wraps: true, registrations: true, deletesQueued: true, initialList: true, oneBackoff: true, lateIndexers: true, transformsSync: true},
		"v0.31.0":  {runsOnce: true, keeps: true, gone: true, syncByRV: true, wraps: true, registrations: true, deletesQueued: true, initialList: true, oneBackoff: true, lateIndexers: true},
	} {
		p, _ := ProfileFor(version)
		got := want
		got.runsOnce, got.keeps, got.syncByRV, got.wraps, got.deletesQueued = p.RunsOnce, p.Indexer.KeepUnchanged, p.SyncByRV, p.Reflector.WrapsErrors, p.Queue.DeletesQueued
		got.losesKept, got.gone = p.Indexer.LosesKept, p.Request.GoneByCode
		got.registrations, got.initialList, got.oneBackoff, got.lateIndexers, got.transformsSync = p.Registrations, p.InitialList, p.Reflector.OneBackoff, p.LateIndexers, p.Queue.TransformsSync
		if got != want {
			t.Errorf("%s: %+v\nwant %+v", version, got, want)
		}
	}
	last := release{minor: 32}.profile(Classic, Delta.Versions)
	last.Name, last.Summary = Delta.Name, Delta.Summary
	if !reflect.DeepEqual(last, Delta) {
		t.Errorf("with all changes v0.22 becomes %+v\nnot %+v", last, Delta)
	}
}

// TestProfileVersions: the first and the last release that a profile names get
// that profile.
func TestProfileVersions(t *testing.T) {
	for _, p := range Profiles() {
		if p.Name == Beta.Name {
			continue
		}
		first, last, _ := strings.Cut(p.Versions, "–")
		for _, version := range []string{first, last} {
			if got, ok := ProfileFor(version); !ok || got.Name != p.Name || strings.Count(version, ".") != 2 {
				t.Errorf("profile %s stands for %s, but %q is the profile %q", p.Name, p.Versions, version, got.Name)
			}
		}
	}
	if first, last := VersionsKnown(); first != "v0.22.0" || last != "v0.37.2" {
		t.Errorf("the versions known are %s to %s", first, last)
	}
}

// TestReleases: each release has a profile, and the whole name that Release gives it.
func TestReleases(t *testing.T) {
	all := Releases()
	first, last := VersionsKnown()
	if n := len(all); all[0] != first || all[n-2] != last || all[n-1] != Beta.Name {
		t.Errorf("the releases are %s to %s", all[0], all[len(all)-1])
	}
	for _, r := range all {
		if name, ok := Release(r); !ok || name != r {
			t.Errorf("%s is the release %q, %v", r, name, ok)
		}
	}
	for name, want := range map[string]string{"v0.32": "v0.32.13", "1.36.0": "v0.36.0", "v0.32.99": "", "classic": "", "v0.38": "v0.38.0-beta.0", "v0.38.0": ""} {
		if got, ok := Release(name); got != want || ok != (want != "") {
			t.Errorf("%q is the release %q, %v", name, got, ok)
		}
	}
}

func TestGate(t *testing.T) {
	p := Current
	for _, name := range []string{"InOrderInformers", "AtomicFIFO", "UnlockWhileProcessingFIFO", "InOrderInformersBatchProcess", "WatchListClient", "InformerResourceVersion"} {
		var ok bool
		if p, ok = p.WithGate(name, false); !ok {
			t.Errorf("there is no gate %s", name)
		}
	}
	if p.InOrder || p.Batch || p.RealFIFO.Atomic || p.RealFIFO.Unlock || p.RealFIFO.EmitBookmark || p.Reflector.StreamingList || p.Indexer.TrackRV {
		t.Errorf("with all gates off: %+v", p)
	}
	if p, _ := Ordered.WithGate("UnlockWhileProcessingFIFO", true); p.RealFIFO.Unlock {
		t.Error("a queue that isn't atomic is unlocked while it processes")
	}
	if _, ok := Current.WithGate("NoSuchGate", true); ok {
		t.Error("a gate that doesn't exist is known")
	}
}
