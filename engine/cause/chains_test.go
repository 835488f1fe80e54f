package cause_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
)

var names = map[cause.Kind]string{
	cause.Write: "write", cause.Watch: "watch", cause.Item: "item", cause.Gap: "gap", cause.Resync: "resync", cause.Listing: "listing", cause.Call: "call", cause.Recorded: "recorded",
	cause.Delta: "delta", cause.Notification: "notification", cause.Delivery: "delivery", cause.Request: "request", cause.Reconcile: "reconcile", cause.Retry: "retry",
}

// chain is a chain with the facts of each node: "watch[WatchEventReceived] delta[...]".
func chain(n *cause.Node) string {
	var words []string
	for _, c := range n.Chain() {
		var facts []string
		for _, l := range c.Links {
			facts = append(facts, l.Event.Kind.String())
		}
		words = append(words, names[c.Kind]+"["+strings.Join(facts, " ")+"]")
	}
	return strings.Join(words, " ")
}

// follow plays a script and gives each of its steps to the Tracker, and then to look.
func follow(t *testing.T, text string, tracker *cause.Tracker, look func(*world.World)) {
	t.Helper()
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play(text); err != nil {
		t.Fatal(err)
	}
	h, err := history.Replay(r.History().Config(), nil, r.History().Inputs())
	if err != nil {
		t.Fatal(err)
	}
	for h.Steps() < r.History().Steps() && h.Step() {
		tracker.Look(h.Front())
		look(h.Front())
	}
}

// TestChainsOfWholeLists: the chain of a delta that stands for a whole list begins with
// what has made the list, and all that is distributed because of it is its effect.
func TestChainsOfWholeLists(t *testing.T) {
	const objects = "profile current\ninformer pods resync=60s\nhandler audit workqueue\nexists pod default/a\nexists pod default/b\nrun\n"
	for _, c := range []struct{ name, script, want, effects string }{
		{
			"a relist", objects + "advance 2s\nrestart server down=1s\ndelete pod default/a\nrun",
			"relist[WatchErrorReceived] item[WatchRequested ListReceived ReplaceStarted] delta[Enqueued Popped StoreReplaced]",
			"default/a Deleted, default/b Updated",
		},
		{
			"a resync", objects + "advance 61s",
			"resync[ResyncFired] delta[Enqueued Popped StoreListed]",
			"default/a Updated, default/b Updated",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var node *cause.Node
			var text func(object.Key) string
			tracker := cause.NewWhole(0)
			follow(t, c.script, tracker, func(w *world.World) {
				text = w.Informers[0].Config().Table.KeyText
				for _, n := range tracker.Popped(0) {
					if n != nil {
						node = n
					}
				}
			})
			if node == nil {
				t.Fatal("no delta for a whole list was popped")
			}
			got := chain(node)
			if origin := node.Origin(); origin.Trigger.Step > 0 {
				got = "relist[" + origin.Trigger.Event.Kind.String() + "] " + got
			}
			if got != c.want {
				t.Errorf("the chain is\n%s\nwant\n%s", got, c.want)
			}
			var effects []string
			node.Each(func(n *cause.Node) bool {
				if n.Kind == cause.Delivery && n.Find(event.HandlerCalled) != nil && n.Find(event.WorkAdded) != nil {
					effects = append(effects, text(n.Key)+" "+n.First().Event.Delta.String())
				}
				return true
			})
			slices.Sort(effects)
			if got := strings.Join(effects, ", "); got != c.effects {
				t.Errorf("its effects are %s, want %s", got, c.effects)
			}
			if !node.Done() {
				t.Error("something of it is still on its way")
			}
		})
	}
}

// TestChains plays short scripts, and reads the chain of the last fact of a kind.
func TestChains(t *testing.T) {
	for _, c := range []struct {
		name, script string
		what         event.Kind // the fact whose chain is read
		delta        event.Delta
		want         string
	}{
		{
			name:   "a created object",
			script: "profile classic\ninformer pods\nhandler audit\nrun\ncreate pod default/web\nrun",
			what:   event.HandlerCalled, delta: event.Added,
			want: "write[ObjectWritten] watch[WatchEventReceived] delta[Enqueued Popped StoreAdded] notification[Distributed] delivery[ListenerAddCh ListenerNextCh HandlerCalled]",
		},
		{
			name:   "an object of the first list",
			script: "profile classic\ninformer pods\nhandler audit\nexists pod default/web\nrun",
			what:   event.HandlerCalled, delta: event.Added,
			want: "item[ListRequested ListReceived ReplaceStarted] delta[Enqueued Popped StoreAdded] notification[Distributed] delivery[ListenerAddCh ListenerNextCh HandlerCalled]",
		},
		{
			name:   "an object that a list lacks",
			script: "profile classic\ninformer pods\nhandler audit\nexists pod default/gone\nrun\nadvance 2s\nrestart server down=1s\ndelete pod default/gone\nrun",
			what:   event.HandlerCalled, delta: event.Deleted,
			want: "gap[ListRequested ListReceived ReplaceStarted] delta[Enqueued Popped StoreDeleted] notification[Distributed] delivery[ListenerAddCh ListenerNextCh HandlerCalled]",
		},
		{
			name:   "a resync",
			script: "profile classic\ninformer pods resync=60s\nhandler audit\nexists pod default/web\nrun\nadvance 61s",
			what:   event.HandlerCalled, delta: event.Updated,
			want: "resync[ResyncFired] delta[Enqueued Popped StoreUpdated] notification[Distributed] delivery[ListenerAddCh ListenerNextCh HandlerCalled]",
		},
		{
			name:   "a late handler",
			script: "profile classic\ninformer pods\nhandler early\nexists pod default/web\nrun\nhandler late\nrun",
			what:   event.HandlerCalled, delta: event.Added,
			want: "listing[ListenerAdded] delivery[ListenerAddCh ListenerNextCh HandlerCalled]",
		},
		{
			name:   "a reconcile that fails",
			script: "profile classic\ninformer pods\nhandler audit workqueue\nexists pod default/web\nfail reconciles n=1\nrun",
			what:   event.WorkGot, delta: event.None,
			want: "item[ListRequested ListReceived ReplaceStarted] delta[Enqueued Popped StoreAdded] notification[Distributed] delivery[ListenerAddCh ListenerNextCh HandlerCalled WorkAdded HandlerReturned] request[WorkAdded WorkGot] reconcile[WorkGot ReconcileStarted ReconcileFailed WorkDone] retry[WorkRateLimited WorkDelayed WorkReady WorkAdded] request[WorkAdded WorkGot] reconcile[WorkGot]",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, tracker := "", cause.New(0, 0)
			follow(t, c.script, tracker, func(w *world.World) {
				for _, e := range w.Log.Events {
					switch {
					case e.Kind != c.what || c.delta != event.None && e.Delta != c.delta:
					case c.what == event.WorkGot:
						_, n, _ := tracker.Work(e.Key)
						got = chain(n)
					default:
						role := w.Set.Role(e.Actor)
						_, n := tracker.Pair(int(role.Index), int(role.Pair))
						got = chain(n)
					}
				}
			})
			if got != c.want {
				t.Errorf("the chain is\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
