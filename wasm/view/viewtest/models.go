package viewtest

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
)

// Busy returns a model with something in every station.
func Busy(t testing.TB, lang string) *session.Model {
	f := Frame()
	m := session.New(lang, "", -1)
	m.Settings.Words, m.Stage.Frame, m.Stage.Lists, m.Open.Loading = Catalogue(t, lang), f, f, false
	m.Open.Trace = &link.Opened{Name: "a.json", Informers: []link.Informer{{Name: "pods"}}}
	m.Stage.Timeline = &link.Timeline{Axis: link.ByStep, Steps: 61377, Columns: 2, Queue: link.Levels{Max: []int{1, 60}, Last: []int{0, 8}}, Pending: []link.Levels{{Max: []int{0, 0}, Last: []int{0, 0}}, {Max: []int{1, 214}, Last: []int{1, 2}}}, Events: [][]int{{1, 2}, {3, 4}},
		Marks: []link.Mark{{Step: 9, Kind: link.MarkRelist, Sentences: []link.MarkSays{{Kind: link.MarkRelist, N: 2}, {Kind: link.MarkNote, N: 1, Texts: []string{"rollout"}}}}}, MaxQueue: 60, MaxPending: 214}
	return m
}

// Frame returns a frame with something in every station.
func Frame() *link.Frame {
	chip := &link.Chip{T: "U", Key: "default/web", RV: "48213", Ref: 7}
	f := &link.Frame{Step: 8214, Steps: 61377, Time: 221_220_000_000, Dir: 1, Actor: "pop/1", Func: "processorListener.pop"}
	f.Sentence = link.Sentence{ID: "step.listenerNextCh", Args: map[string]link.Arg{"listener": {Kind: "text", V: "audit"}, "key": {Kind: "key", V: "default/web"}}}
	f.Moves = []link.Move{{Chip: *chip, From: "listener/1/slot", To: "listener/1/nextCh"}}
	f.Lit = []string{"listener/1/nextCh"}
	f.Server = link.Server{RV: "48213", Tape: []link.Tape{{N: 3, Chip: *chip, Sent: true}}, Sent: 4, Total: 9, Next: 1e9}
	f.Wire = link.Wire{State: link.WireBackoff, Remaining: 1e9, BackOff: 2e9, After: link.WireBroken, Reason: &link.Arg{Kind: "text", V: "410 Gone"}}
	f.Reflector = link.Reflector{State: "backoff", RV: "48207", Hand: chip, Error: "410 Gone", ResyncIn: -1}
	f.Queue = link.Queue{Kind: "DeltaFIFO", Depth: 60, From: 2, Rows: []link.Row{{ID: "default/web", Key: "default/web", Deltas: []link.Chip{*chip, *chip}, More: 5}}, Holder: "loop"}
	f.Loop = link.Loop{State: "distributing", Key: "default/db", Total: 1, Deltas: []link.Chip{*chip}}
	f.Store = link.Store{Objects: 2, Lit: -1, Tiles: []link.Tile{{Key: "default/web", RV: "48213", Ref: 7, Heat: 3}}, Indices: []link.Index{{Name: "namespace", Values: 3, Top: []link.IndexValue{{Value: "default", Keys: 2, Lit: "+"}}}}}
	f.Processor = link.Processor{Hand: chip, Listeners: []link.Listener{
		{ID: 0, Name: "metrics", Joined: true, Ring: 1024},
		{ID: 1, Name: "audit", Joined: true, Syncing: true, Slot: chip, NextCh: chip, Pending: 214, Ring: 1024, Head: []link.Chip{*chip}, Handler: chip, Func: "OnUpdate", Elapsed: 5e6, Duration: 2e7, Behind: 216},
	}}
	f.Work = link.Work{Queue: []string{"default/web"}, Dirty: []string{"default/web"}, Processing: []string{"default/db"}, Delayed: []link.Delayed{{Key: "a/b", Remaining: 1e6}}, Queued: 1, DirtyLen: 1, Waiting: 1, Delays: true,
		Workers: []link.Worker{{ID: 0, State: "reconciling", Key: "default/db", RV: "1", Elapsed: 1e6, Duration: 5e6}}}
	f.Actors = []link.Actor{{ID: "loop", PC: "loopDistribute", Locks: []string{"fifo", "blockDeltas"}, Ready: true}, {ID: "reflector", PC: "reflectorEnqueue", Waits: "lock", Target: "fifo", Holder: "loop"}, {ID: "pop/1", PC: "popNext", Waits: "channel", Target: "nextCh"}}
	return f
}

// Live returns how following a cluster goes, with some streams that wait.
func Live() *link.Live {
	return &link.Live{Following: true, Now: 60e9, Steps: 10_000, Bytes: 12_345_678, Window: 256_000_000, Streams: []link.Followed{
		{Name: "pods", State: "watching", Events: 4321},
		{Name: "deployments.apps", State: "waiting", Reason: "lost", Detail: link.FaultText("Failed to fetch"), Until: 62_500_000_000, Events: 17},
		{Name: "events", State: "waiting", Reason: "expired", Detail: link.FaultText("too old resource version: 5 (99)"), Until: 61e9, Events: 9, Relists: 2},
	}}
}
