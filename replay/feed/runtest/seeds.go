package runtest

import (
	"flag"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// With -fresh, random runs are made of so many seeds, from -from on, instead of the seeds
// that are kept.
var (
	fresh = flag.Uint64("fresh", 0, "how many fresh seeds the random runs of each profile have")
	from  = flag.Uint64("from", 1, "the first fresh seed")
)

// Fresh reports whether random runs have other seeds than those that are kept. Nobody
// promises then that each sentence is said.
func Fresh() bool { return *fresh > 0 }

// seeds calls f with the first n seeds, or with the fresh ones.
func seeds(n uint64, f func(seed uint64)) {
	first := uint64(0)
	if Fresh() {
		first, n = *from, *fresh
	}
	world.RandomSeeds(first, n, f)
}

// Random calls f with the runs that are made for tests, most of them by chance.
func Random(t *testing.T, f func(Run)) {
	t.Helper()
	f(resyncFails(t))
	f(rareEvents(t))
	for _, p := range Profiles(t) {
		seeds(20, func(seed uint64) {
			f(randomRecords(t, seed, p))
			f(randomServer(t, seed, p))
			f(byHand(t, seed, p))
			f(notified(t, seed, p))
		})
		clusters := uint64(8)
		if p.Name == world.Current.Name {
			clusters = 24 // with gates set the other way
		}
		seeds(clusters, func(seed uint64) { f(cluster(t, seed, p)) })
		pods := func(seed uint64) Run {
			return scheduled(t, "replay/report/testdata/small-pods.trace.jsonl.gz", seed, p)
		}
		controller := func(seed uint64) Run {
			return scheduled(t, "wasm/picture/says/testdata/controller.trace.jsonl", seed, p)
		}
		seeds(4, func(seed uint64) {
			f(pods(seed))
			f(controller(seed))
			f(elected(t, seed, p))
			if p.Sharded {
				f(sharded(t, seed, p))
			}
		})
		// These have found something.
		switch p.Name {
		case world.Classic.Name:
			f(controller(47))   // a handler adds to a workqueue that is shut down
			f(controller(1051)) // Run is called again, and the recorded worker stops at that
			f(controller(1022)) // the watch of one of two controllers never begins
			f(pods(1096))       // the first of two controllers has popped its list after the other one
			f(randomServer(t, 1005, p))
			f(byHand(t, 20108, p)) // Replace merges a deletion while the queue has a tombstone of another key
		case world.Delta.Name:
			f(randomRecords(t, 5006, p)) // a resync fails while the watch breaks
		case world.Ordered.Name:
			f(cluster(t, 20064, p)) // a process loop returns last, while another informer's reflector goes on
		case world.Batched.Name:
			f(randomRecords(t, 1003, p))  // a list's end without a beginning
			f(randomRecords(t, 20098, p)) // the same, after a list that has failed
			f(randomRecords(t, 3009, p))
		}
	}
}

// scheduled returns a run of a recording with random steps. It reads the recording anew: what one
// run adds to a table, another one would find there.
func scheduled(t *testing.T, file string, seed uint64, p world.Profile) Run {
	t.Helper()
	var log worker.Log
	tr := openTrace(t, filepath.Join(top(t), file), &log)
	cfg := TraceConfig(tr, tr.Resources[0], p)
	cfg.Informers[0].Follow(feed.Controllers(tr, &log)[tr.Resources[0].Name()].Recording(tr.Resources[0].Table))
	r := actor.Rand(seed)
	return anySchedule(t, filepath.Base(file)+" "+p.Name+" seed "+strconv.FormatUint(seed, 10), cfg, &r, seed)
}
