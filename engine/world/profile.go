package world

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/controller/election"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// Profile is a set of gates that makes the world one client-go version's.
type Profile = informer.Profile

// The profiles. Each is the one before it, with the changes that its Summary
// names.
var (
	// Classic is client-go v0.22: DeltaFIFO and HandleDeltas in their first
	// shape.
	Classic = Profile{
		Name: "classic", Versions: "v0.22.0–v0.22.17", Summary: "profile.classic",
		Queue: fifo.Options{EmitDeltaTypeReplaced: true},
	}
	// Delta is the DeltaFIFO in its last form. A relist deletes objects that
	// only the queue knows, and handlers have registrations and learn which
	// objects are in the initial list.
	Delta = Profile{
		Name: "delta", Versions: "v0.32.0–v0.32.13", Summary: "profile.delta",
		Queue:     fifo.Options{EmitDeltaTypeReplaced: true, DeletesQueued: true},
		Indexer:   indexer.Gates{KeepUnchanged: true, IndexLate: true},
		Reflector: reflector.Config{OneBackoff: true, StopEndsBackoff: true, WrapsErrors: true, FallsBack: true},
		Request:   request.Config{RetriesLost: true, ReadsStatus: true, GoneByCode: true},
		Election:  election.Gates{KeepsLease: true, LeaseTells: true, RenewsFast: true, EndsRelease: true, KeepsTicks: true},
		RunsOnce:  true, SyncByRV: true, InitialList: true, Registrations: true, LateIndexers: true,
	}
	// Ordered is RealFIFO: every delta in its order, one Pop each. It is v0.34, from which v0.33 differs
	// in its stop, in the release of a leader's lease, and where a transformer meets a streaming list.
	Ordered = derive(Delta, "ordered", "v0.33.0–v0.34.13", func(p *Profile) {
		p.InOrder, p.StopsAtOnce, p.Reflector.StopEndsRequests, p.Reflector.StreamTransforms = true, true, true, true
		p.Election.ReleaseReads = true
	})
	// Batched pops up to a thousand keys at a time, and lists by watching.
	Batched = derive(Ordered, "batched", "v0.35.0–v0.35.10", func(p *Profile) {
		p.Batch, p.Reflector.StreamingList = true, true
	})
	// Current is client-go v0.37: a relist and a resync are one delta, the queue
	// is unlocked while deltas are processed, and the store knows how far it is. v0.36 differs in that a
	// leader gives the release of its lease up after a conflict.
	Current = derive(Batched, "current", "v0.36.0–v0.37.2", func(p *Profile) {
		p.RealFIFO = fifo.RealOptions{Atomic: true, Unlock: true, EmitBookmark: true}
		p.Indexer.TrackRV = true
		p.Reflector.BackoffSinceReset, p.Reflector.RVAfterAdded = true, true
		p.LatchedSync, p.ListsStopped, p.AwaitsListeners = true, true, true
		p.Election.ReleasesAgain = true
	})
	// Beta is the newest pre-release of client-go that the engine was compared with. It has a name of its own, which
	// links and scripts keep, and nothing chooses it by itself. A batch may hold several deltas of one key.
	Beta = derive(Current, "beta", "v0.38 beta", func(p *Profile) {
		p.Name = beta
		p.RealFIFO.Repeats, p.Indexer.KeepSame, p.LateRVMetric = true, true, true
		p.Sharded, p.Pausable = true, true
		p.Election.ReleaseLooks, p.Mutation.AddsMissing = true, true
	})
)

// beta is the pre-release that Beta stands for, and betaMinor is its minor version.
const (
	beta      = "v0.38.0-beta.0"
	betaMinor = "v0.38"
)

// isBeta reports whether name names the pre-release or its minor version.
func isBeta(name string) bool {
	version, ok := strings.CutPrefix(strings.TrimPrefix(name, "v"), "1.")
	if !ok {
		version, ok = strings.CutPrefix(strings.TrimPrefix(name, "v"), "0.")
	}
	version = "v0." + version
	return ok && (version == beta || version == betaMinor || version == Beta.Versions)
}

// derive returns a profile that differs from p by a change.
func derive(p Profile, name, versions string, change func(*Profile)) Profile {
	p.Name, p.Versions, p.Summary = name, versions, "profile."+name
	change(&p)
	return p
}

// Profiles returns all profiles, the oldest first. The last one belongs to the pre-release.
func Profiles() []Profile { return []Profile{Classic, Delta, Ordered, Batched, Current, Beta} }

// ProfileNames returns the names of all profiles, the oldest first.
func ProfileNames() (names []string) {
	for _, p := range Profiles() {
		names = append(names, p.Name)
	}
	return names
}

// ProfileFor returns the profile of that name, or of that version of client-go:
// "v0.37.2", "v0.37" for the last of it, "0.37", or "v1.37", as Kubernetes counts. A
// release of a minor that is known, which is newer than its last known one, is played as
// that one: see [Newer]. A version between v0.22 and
// v0.32 gets the profile before it, under the same name, with the changes up to
// that version. v0.33 gets the profile of v0.34 without the changes that came with
// v0.34, and v0.36 gets the profile of v0.37 without the gates of v0.37. The pre-release that
// Beta stands for has its own name, and is v0.38, too. ok is false for any
// other name. It is also false for versions that were never compared with the profiles:
// those before v0.22, other pre-releases, and minors newer than [VersionsKnown] says.
func ProfileFor(name string) (p Profile, ok bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
	}
	if isBeta(name) {
		return Beta, true
	}
	r, ok := parseRelease(name)
	_, version, _ := strings.Cut(name, ".")
	version = "v0." + version
	if played, newer := Newer(name); newer {
		version, r.patch = played, lastPatch[r.minor-firstMinor]
	}
	switch {
	case !ok || !r.known():
		return Profile{}, false
	case r.minor < 23:
		return Classic, true
	case r.minor < 27:
		return r.profile(Classic, version), true
	case r.minor < 32:
		return r.profile(Delta, version), true
	case r.minor < 33:
		return Delta, true
	case r.minor < 34:
		p := Ordered
		p.Versions, p.StopsAtOnce, p.Reflector.StreamTransforms, p.Election.ReleaseReads = version, false, false, false
		return p, true
	case r.minor < 35:
		return Ordered, true
	case r.minor < 36:
		return Batched, true
	case r.minor < 37:
		p := Current
		p.Versions, p.Election.ReleasesAgain = version, false
		return p, true
	}
	return Current, true
}

// parseRelease reads "v0.37.2", or "v0.37" for the last release of it that is
// known.
func parseRelease(name string) (r release, ok bool) {
	parts := strings.Split(strings.TrimPrefix(name, "v"), ".")
	if len(parts) < 2 || len(parts) > 3 || parts[0] != "0" && parts[0] != "1" {
		return r, false
	}
	var err error
	if r.minor, err = strconv.ParseUint(parts[1], 10, 16); err != nil {
		return r, false
	}
	if len(parts) == 3 {
		r.patch, err = strconv.ParseUint(parts[2], 10, 16)
	} else if r.minor >= firstMinor && r.minor <= newest.minor {
		r.patch = lastPatch[r.minor-firstMinor]
	}
	return r, err == nil
}

// Newer reports whether a name is a patch release of client-go that came after the last known one
// of its minor version. It is played as that last known release, whose name Newer returns.
func Newer(name string) (played string, is bool) {
	r, ok := parseRelease(name)
	if !ok || !r.minorKnown() || r.known() {
		return "", false
	}
	r.patch = lastPatch[r.minor-firstMinor]
	return r.String(), true
}

// VersionsKnown returns the first and the last release of client-go that there is a
// profile for. A pre-release is none.
func VersionsKnown() (first, last string) { return release{firstMinor, 0}.String(), newest.String() }

// release is a release of client-go, v0.minor.patch.
type release struct{ minor, patch uint64 }

// lastPatch is the newest release of each minor of client-go, from v0.22 on, that
// the profiles stand for.
var lastPatch = [...]uint64{17, 17, 17, 16, 15, 16, 15, 15, 14, 14, 13, 13, 13, 10, 6, 2}

// newest is the newest of them all.
var newest = release{firstMinor + uint64(len(lastPatch)) - 1, lastPatch[len(lastPatch)-1]}

const firstMinor = 22

// known reports whether there is such a release, and a profile for it.
func (r release) known() bool { return r.minorKnown() && r.patch <= lastPatch[r.minor-firstMinor] }

func (r release) minorKnown() bool { return r.minor >= firstMinor && r.minor <= newest.minor }

// LastPatch returns the newest release of a minor, such as v0.22.17 of v0.22, that the profiles stand for, or their pre-release
// of it. It returns "" if they stand for none.
func LastPatch(minor string) string {
	if minor == betaMinor {
		return beta
	}
	for i, patch := range lastPatch {
		if r := (release{firstMinor + uint64(i), patch}); r.minorVersion() == minor {
			return r.String()
		}
	}
	return ""
}

// Release returns the whole name of a release that the profiles stand for: v0.32.13 for "v0.32",
// "1.32" or "v0.32.13" itself. The minor of the pre-release names the pre-release. ok is false for any other name.
func Release(name string) (release string, ok bool) {
	if isBeta(name) {
		return beta, true
	}
	r, ok := parseRelease(name)
	if !ok || !r.known() {
		return "", false
	}
	return r.String(), true
}

// Releases returns all releases that the profiles stand for, the oldest first. The last one is the pre-release.
func Releases() []string {
	var all []string
	for i, last := range lastPatch {
		for patch := range last + 1 {
			all = append(all, release{firstMinor + uint64(i), patch}.String())
		}
	}
	return append(all, beta)
}

// minorVersion returns the minor version of a release, such as v0.37.
func (r release) minorVersion() string { return "v0." + strconv.FormatUint(r.minor, 10) }

func (r release) String() string {
	return r.minorVersion() + "." + strconv.FormatUint(r.patch, 10)
}

// changes are the changes between v0.22 and v0.32, with the releases that brought
// them. If a change was also brought to older minors, since names the first
// release of each. Minors newer than the last one named have it, too.
var changes = []struct {
	since []release
	set   func(p *Profile, on bool)
}{
	{[]release{{23, 0}}, func(p *Profile, on bool) {
		p.RunsOnce, p.Indexer.KeepUnchanged, p.Indexer.LosesKept, p.Request.GoneByCode = on, on, on, on
	}},
	{[]release{{23, 6}}, func(p *Profile, on bool) { p.Indexer.LosesKept = p.Indexer.LosesKept && !on }},
	{[]release{{24, 0}}, func(p *Profile, on bool) { p.SyncByRV = on }},
	{[]release{{24, 13}, {25, 9}, {26, 4}, {27, 0}}, func(p *Profile, on bool) {
		p.Queue.DeletesQueued, p.TransformsLate = on, !on
	}},
	{[]release{{25, 0}}, func(p *Profile, on bool) { p.Reflector.WrapsErrors = on }},
	{[]release{{26, 0}}, func(p *Profile, on bool) { p.Registrations, p.Election.KeepsLease = on, on }},
	{[]release{{27, 0}}, func(p *Profile, on bool) {
		p.InitialList, p.Reflector.StopEndsBackoff, p.Election.LeaseTells = on, on, on
	}},
	{[]release{{28, 0}}, func(p *Profile, on bool) { p.Reflector.OneBackoff = on }},
	{[]release{{29, 0}}, func(p *Profile, on bool) { p.Reflector.FallsBack = on }},
	{[]release{{30, 0}}, func(p *Profile, on bool) {
		p.LateIndexers, p.Indexer.IndexLate, p.Election.RenewsFast = on, on, on
	}},
	{[]release{{31, 0}}, func(p *Profile, on bool) {
		p.Queue.TransformsSync, p.Queue.TransformsTombstones, p.Election.EndsRelease = !on, !on, on
	}},
	{[]release{{32, 0}}, func(p *Profile, on bool) {
		p.Request.RetriesLost, p.Request.ReadsStatus, p.Election.KeepsTicks = on, on, on
	}},
}

// has reports whether the release r has a change that came with the releases
// since.
func (r release) has(since []release) bool {
	for _, s := range since {
		if r.minor == s.minor {
			return r.patch >= s.patch
		}
	}
	return r.minor > since[len(since)-1].minor
}

// profile returns the profile of a release. It starts from p, the profile of v0.22 or of
// v0.32, whichever is nearer.
func (r release) profile(p Profile, version string) Profile {
	p.Versions = version
	for _, c := range changes {
		c.set(&p, r.has(c.since))
	}
	return p
}
