package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

func list(items []string) string { return "[" + strings.Join(items, " ") + "]" }

func keys(t *object.Table, keys []object.Key) string {
	var s []string
	for _, k := range keys {
		s = append(s, t.KeyText(k))
	}
	return list(s)
}

func objects(t *object.Table, refs []object.Ref) string {
	var s []string
	for _, o := range refs {
		s = append(s, t.KeyText(t.KeyOf(o))+versions(t, 0, o))
	}
	return list(s)
}

func queueOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	var s []string
	var d []fifo.Delta
	for i := range x.Queue.Depth() {
		k, _ := x.Queue.Row(i)
		if k == 0 {
			d = x.Queue.RowDeltas(i, d[:0])
			s = append(s, d[0].Type.String())
			continue
		}
		s = append(s, x.Config().Table.KeyText(k))
	}
	return list(s), ""
}

// deltasOf are the Deltas of a key in the queue, or those that the process loop
// has popped.
func deltasOf(_ *Runner, x *informer.Informer, args []word) (string, string) {
	t := x.Config().Table
	k, ok := t.LookupKey(args[0].text)
	var s []string
	add := func(d fifo.Delta) {
		text := d.Type.String()
		if d.Tomb > 0 {
			text += "(tombstone)"
		}
		s = append(s, text+versions(t, 0, d.Obj))
	}
	for i := 0; ok && i < x.Queue.Depth(); i++ {
		if is, _ := x.Queue.Row(i); is == k {
			for _, d := range x.Queue.RowDeltas(i, nil) {
				add(d)
			}
		}
	}
	if popped, _ := x.Popped(); ok && len(s) == 0 {
		for _, d := range popped {
			if d.Key == k {
				add(d)
			}
		}
	}
	return list(s), ""
}

func storeOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	return objects(x.Config().Table, x.Indexer.List(nil)), ""
}

func getOf(_ *Runner, x *informer.Informer, args []word) (string, string) {
	t := x.Config().Table
	if k, ok := t.LookupKey(args[0].text); ok {
		if o, ok := x.Indexer.GetByKey(k); ok {
			return t.KeyText(k) + versions(t, 0, o), ""
		}
	}
	return "nothing", ""
}

func indexOf(_ *Runner, x *informer.Informer, args []word) (string, string) {
	k, err := x.Indexer.IndexKeys(args[0].text, args[1].text, nil)
	if err != nil {
		return "", err.Error()
	}
	return keys(x.Config().Table, k), ""
}

func valuesOf(_ *Runner, x *informer.Informer, args []word) (string, string) {
	var s []string
	for _, v := range x.Indexer.ListIndexFuncValues(args[0].text, nil) {
		s = append(s, x.Config().Table.Text(v))
	}
	return list(s), ""
}

func rvOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	return strconv.Quote(x.Config().Table.RVText(x.LastSyncResourceVersion())), ""
}

func syncedOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	return strconv.FormatBool(x.HasSynced()), ""
}

func factoryOf(r *Runner, _ *informer.Informer, _ []word) (string, string) {
	var s []string
	for _, x := range r.w.Informers {
		if !x.Config().Factory {
			continue
		}
		state := " started"
		switch {
		case !x.Started():
			state = " not started"
		case x.HasSynced():
			state = " synced"
		}
		s = append(s, x.Config().Name+state)
	}
	return "[" + strings.Join(s, ", ") + "]", ""
}

func initialOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	return strconv.Itoa(x.Queue.InitialPopulationCount()), ""
}

// of finds the handler that an argument names.
func of(r *Runner, w word) (in, listener int, wrong string) {
	in, listener, ok := r.handler(w.text)
	if !ok {
		wrong = "there is no handler " + strconv.Quote(w.text)
	}
	return in, listener, wrong
}

func notifiedOf(r *Runner, _ *informer.Informer, args []word) (string, string) {
	i, j, wrong := of(r, args[0])
	if wrong != "" {
		return "", wrong
	}
	told := &r.told[i][j]
	fresh := told.calls[told.shown:]
	told.shown = len(told.calls)
	return "[" + strings.Join(fresh, ", ") + "]", ""
}

func callsOf(r *Runner, _ *informer.Informer, args []word) (string, string) {
	i, j, wrong := of(r, args[0])
	if wrong != "" {
		return "", wrong
	}
	return strconv.Itoa(len(r.told[i][j].calls)), ""
}

// calledOf counts the calls of a handler with a function and a key, which may have
// a version: a/x@2, a/x@2->3.
func calledOf(r *Runner, _ *informer.Informer, args []word) (string, string) {
	i, j, wrong := of(r, args[0])
	if wrong != "" {
		return "", wrong
	}
	n := 0
	for _, c := range r.told[i][j].calls {
		if isCall(c, args[1].text, args[2].text) {
			n++
		}
	}
	return strconv.Itoa(n), ""
}

func behindOf(r *Runner, _ *informer.Informer, args []word) (string, string) {
	i, j, wrong := of(r, args[0])
	if wrong != "" {
		return "", wrong
	}
	return strconv.Itoa(r.w.Informers[i].Processor.Listeners[j].Behind()), ""
}

func pendingOf(r *Runner, _ *informer.Informer, args []word) (string, string) {
	i, j, wrong := of(r, args[0])
	if wrong != "" {
		return "", wrong
	}
	return strconv.Itoa(r.w.Informers[i].Processor.Listeners[j].Pending()), ""
}

func syncingOf(r *Runner, _ *informer.Informer, args []word) (string, string) {
	i, j, wrong := of(r, args[0])
	if wrong != "" {
		return "", wrong
	}
	return strconv.FormatBool(r.w.Informers[i].Processor.Listeners[j].Syncing), ""
}

func workqueueOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	var k []object.Key
	for i := range x.Work.Queue.Len() {
		k = append(k, x.Work.Queue.At(i))
	}
	return keys(x.Config().Table, k), ""
}

func dirtyOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	return keys(x.Config().Table, x.Work.Queue.Dirty(nil, maxObjects)), ""
}

func processingOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	return keys(x.Config().Table, x.Work.Queue.Processing(nil, maxObjects)), ""
}

func delayedOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	return strconv.Itoa(x.Work.Queue.WaitingLen()), ""
}

func serverOf(r *Runner, x *informer.Informer, _ []word) (string, string) {
	return objects(x.Config().Table, r.w.Held(x.Index())), ""
}

// costsOf are the open watches, the lists and objects decoded so far, and the cached
// copies, of all informers together.
func costsOf(r *Runner, _ *informer.Informer, _ []word) (string, string) {
	u := r.w.Usage()
	n := func(name string, n int64) string { return name + "=" + strconv.FormatInt(n, 10) }
	return list([]string{n("watches", u.Watches), n("lists", u.Lists), n("objects", u.Objects), n("copies", u.Copies)}), ""
}

func revisionOf(r *Runner, x *informer.Informer, _ []word) (string, string) {
	return strconv.FormatInt(r.w.Revision(x.Index()), 10), ""
}

func watchOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	return x.Server.State().String(), ""
}

func messageOf(r *Runner, x *informer.Informer, _ []word) (string, string) {
	if s := r.w.Simulated(x.Index()); s != nil {
		return strconv.Quote(s.Message()), ""
	}
	return strconv.Quote(x.Server.View(0, 0).Message), ""
}

func actorOf(r *Runner, _ *informer.Informer, args []word) (string, string) {
	id, err := r.actor(args[0], 0)
	if err != nil {
		return "", "there is no actor " + strconv.Quote(args[0].text)
	}
	return r.waits(id), ""
}

func lockOf(r *Runner, x *informer.Informer, args []word) (string, string) {
	for l := range actor.NumLocks {
		if l.String() != args[0].text {
			continue
		}
		if id := x.Locks[l].Holder(); id != actor.Nobody {
			return r.actorName(id), ""
		}
		return "free", ""
	}
	return "", "there is no lock " + strconv.Quote(args[0].text)
}

func crashOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	if err := x.Crash(); err != nil {
		return err.Error(), ""
	}
	return "none", ""
}
