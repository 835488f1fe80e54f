package world

import "strconv"

// release is a release of client-go, v0.minor.patch.
type release struct{ minor, patch uint64 }

// lastPatch is the newest release of each minor of client-go, from v0.22 on, that
// the profiles stand for.
var lastPatch = [...]uint64{17, 17, 17, 16, 15, 16, 15, 15, 14, 14, 13, 13, 13, 10, 6, 2}

// newest is the newest of them all.
var newest = release{firstMinor + uint64(len(lastPatch)) - 1, lastPatch[len(lastPatch)-1]}

const firstMinor = 22

// known tells whether there is such a release, and a profile for it.
func (r release) known() bool { return r.minorKnown() && r.patch <= lastPatch[r.minor-firstMinor] }

func (r release) minorKnown() bool { return r.minor >= firstMinor && r.minor <= newest.minor }

// LastPatch returns the newest release of a minor, such as v0.22.17 of v0.22, that the profiles stand for. It returns "" if
// they stand for none.
func LastPatch(minor string) string {
	for i, patch := range lastPatch {
		if r := (release{firstMinor + uint64(i), patch}); r.of() == minor {
			return r.String()
		}
	}
	return ""
}

// Release returns the whole name of a release that the profiles stand for: v0.32.13 for "v0.32",
// "1.32" or "v0.32.13" itself. ok is false for any other name.
func Release(name string) (release string, ok bool) {
	r, ok := parseRelease(name)
	if !ok || !r.known() {
		return "", false
	}
	return r.String(), true
}

// Releases returns all releases that the profiles stand for, the oldest first.
func Releases() []string {
	var all []string
	for i, last := range lastPatch {
		for patch := range last + 1 {
			all = append(all, release{firstMinor + uint64(i), patch}.String())
		}
	}
	return all
}

// of is the minor of a release.
func (r release) of() string { return "v0." + strconv.FormatUint(r.minor, 10) }

func (r release) String() string {
	return r.of() + "." + strconv.FormatUint(r.patch, 10)
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
	{[]release{{31, 0}}, func(p *Profile, on bool) { p.Queue.TransformsSync, p.Election.EndsRelease = !on, on }},
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

// as returns the profile of a release. It starts from p, the profile of v0.22 or of
// v0.32, whichever is nearer.
func (r release) as(p Profile, version string) Profile {
	p.Versions = version
	for _, c := range changes {
		c.set(&p, r.has(c.since))
	}
	return p
}
