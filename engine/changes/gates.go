package changes

import (
	_ "embed"
	"strings"

	"github.com/informerscope/informerscope/engine/world"
)

// Gates are all differences, in the order in which they came.
var Gates = readGates(gates)

// gates has what is said of each Gate and the script that shows it: a line with its name, lines with a field each, and
// the script behind tabs.
//
//go:embed gates.txt
var gates string

// switches are what each Gate turns over.
var switches = map[string]func(p *world.Profile) []*bool{
	"runs-once":            func(p *world.Profile) []*bool { return []*bool{&p.RunsOnce} },
	"keeps-index":          func(p *world.Profile) []*bool { return []*bool{&p.Indexer.KeepUnchanged} },
	"gone-by-code":         func(p *world.Profile) []*bool { return []*bool{&p.Request.GoneByCode} },
	"finds-kept":           func(p *world.Profile) []*bool { return []*bool{&p.Indexer.LosesKept} },
	"sync-by-version":      func(p *world.Profile) []*bool { return []*bool{&p.SyncByRV} },
	"deletes-queued":       func(p *world.Profile) []*bool { return []*bool{&p.Queue.DeletesQueued} },
	"transforms-early":     func(p *world.Profile) []*bool { return []*bool{&p.TransformsLate} },
	"wraps-errors":         func(p *world.Profile) []*bool { return []*bool{&p.Reflector.WrapsErrors} },
	"registrations":        func(p *world.Profile) []*bool { return []*bool{&p.Registrations} },
	"keeps-lease":          func(p *world.Profile) []*bool { return []*bool{&p.Election.KeepsLease} },
	"initial-list":         func(p *world.Profile) []*bool { return []*bool{&p.InitialList} },
	"stop-ends-backoff":    func(p *world.Profile) []*bool { return []*bool{&p.Reflector.StopEndsBackoff} },
	"lease-tells":          func(p *world.Profile) []*bool { return []*bool{&p.Election.LeaseTells} },
	"one-backoff":          func(p *world.Profile) []*bool { return []*bool{&p.Reflector.OneBackoff} },
	"falls-back":           func(p *world.Profile) []*bool { return []*bool{&p.Reflector.FallsBack} },
	"late-indexers":        func(p *world.Profile) []*bool { return []*bool{&p.LateIndexers, &p.Indexer.IndexLate} },
	"renews-fast":          func(p *world.Profile) []*bool { return []*bool{&p.Election.RenewsFast} },
	"resync-as-cached":     func(p *world.Profile) []*bool { return []*bool{&p.Queue.TransformsSync} },
	"tombstones-as-cached": func(p *world.Profile) []*bool { return []*bool{&p.Queue.TransformsTombstones} },
	"ends-release":         func(p *world.Profile) []*bool { return []*bool{&p.Election.EndsRelease} },
	"retries-lost":         func(p *world.Profile) []*bool { return []*bool{&p.Request.RetriesLost} },
	"reads-status":         func(p *world.Profile) []*bool { return []*bool{&p.Request.ReadsStatus} },
	"keeps-ticks":          func(p *world.Profile) []*bool { return []*bool{&p.Election.KeepsTicks} },
	"in-order":             func(p *world.Profile) []*bool { return []*bool{&p.InOrder} },
	"stops-at-once":        func(p *world.Profile) []*bool { return []*bool{&p.StopsAtOnce} },
	"stop-ends-requests":   func(p *world.Profile) []*bool { return []*bool{&p.Reflector.StopEndsRequests} },
	"stream-transforms":    func(p *world.Profile) []*bool { return []*bool{&p.Reflector.StreamTransforms} },
	"release-reads":        func(p *world.Profile) []*bool { return []*bool{&p.Election.ReleaseReads} },
	"batches":              func(p *world.Profile) []*bool { return []*bool{&p.Batch} },
	"streaming-list":       func(p *world.Profile) []*bool { return []*bool{&p.Reflector.StreamingList} },
	"atomic": func(p *world.Profile) []*bool {
		return []*bool{&p.RealFIFO.Atomic, &p.RealFIFO.EmitBookmark, &p.Indexer.TrackRV}
	},
	"unlocks":             func(p *world.Profile) []*bool { return []*bool{&p.RealFIFO.Unlock} },
	"backoff-restarts":    func(p *world.Profile) []*bool { return []*bool{&p.Reflector.BackoffSinceReset} },
	"version-after-added": func(p *world.Profile) []*bool { return []*bool{&p.Reflector.RVAfterAdded} },
	"latched-sync":        func(p *world.Profile) []*bool { return []*bool{&p.LatchedSync} },
	"awaits-listeners":    func(p *world.Profile) []*bool { return []*bool{&p.AwaitsListeners} },
	"lists-stopped":       func(p *world.Profile) []*bool { return []*bool{&p.ListsStopped} },
	"releases-again":      func(p *world.Profile) []*bool { return []*bool{&p.Election.ReleasesAgain} },
	"repeated-keys":       func(p *world.Profile) []*bool { return []*bool{&p.RealFIFO.Repeats} },
	"sharded":             func(p *world.Profile) []*bool { return []*bool{&p.Sharded} },
	"pausable":            func(p *world.Profile) []*bool { return []*bool{&p.Pausable} },
	"keeps-same-index":    func(p *world.Profile) []*bool { return []*bool{&p.Indexer.KeepSame} },
	"late-version-metric": func(p *world.Profile) []*bool { return []*bool{&p.LateRVMetric} },
	"adds-missing":        func(p *world.Profile) []*bool { return []*bool{&p.Mutation.AddsMissing} },
	"release-looks":       func(p *world.Profile) []*bool { return []*bool{&p.Election.ReleaseLooks} },
}

// readGates reads the text of gates. It panics where that isn't well-formed.
func readGates(text string) (all []Gate) {
	for line := range strings.Lines(text) {
		name, isName := strings.CutPrefix(line, "# ")
		script, isScript := strings.CutPrefix(line, "\t")
		switch {
		case isName:
			name = strings.TrimSuffix(name, "\n")
			all = append(all, Gate{Name: name, flags: switches[name]})
		case isScript:
			all[len(all)-1].Script += script
		case line != "\n":
			all[len(all)-1].set(strings.TrimSuffix(line, "\n"))
		}
	}
	return all
}

func (g *Gate) set(line string) {
	name, text, _ := strings.Cut(line, ": ")
	fields := map[string]*string{"refs": &g.Refs, "needs": &g.requires, "says": &g.Difference, "do": &g.Advice, "why": &g.Reason}
	if field := fields[name]; field != nil {
		*field = text
		return
	}
	for p := range Part(NumParts) {
		if name == "shows" && text == p.String() {
			g.Shows = p
			return
		}
	}
	panic("gates.txt: " + g.Name + " has no field " + line)
}
