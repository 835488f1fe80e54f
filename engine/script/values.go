package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// subject is something that show and expect can ask for, with words that follow
// its name.
type subject struct {
	name string
	args []string
	get  func(r *Runner, x *informer.Informer, args []word) (string, string) // the value, or what is wrong with the last argument

	tells bool // it is about the transcript, and not about the machine
}

var subjects = []subject{
	{name: "queue", get: queueOf},                                                 // the keys in the queue; of a queue of deltas theirs
	{name: "deltas", args: []string{"a key"}, get: deltasOf},                      // of a key, in the queue or in the process loop's hands
	{name: "store", get: storeOf},                                                 // the indexer's objects
	{name: "get", args: []string{"a key"}, get: getOf},                            // one of them: GetByKey
	{name: "index", args: []string{"an index", "a value"}, get: indexOf},          // IndexKeys
	{name: "values", args: []string{"an index"}, get: valuesOf},                   // ListIndexFuncValues
	{name: "rv", get: rvOf},                                                       // lastSyncResourceVersion
	{name: "synced", get: syncedOf},                                               // HasSynced
	{name: "initial", get: initialOf},                                             // initialPopulationCount
	{name: "notified", args: []string{"a handler"}, get: notifiedOf, tells: true}, // its calls since this was asked last
	{name: "calls", args: []string{"a handler"}, get: callsOf, tells: true},       // how many it has had
	{name: "behind", args: []string{"a handler"}, get: behindOf},
	{name: "pending", args: []string{"a handler"}, get: pendingOf}, // pendingNotifications
	{name: "syncing", args: []string{"a handler"}, get: syncingOf},
	{name: "workqueue", get: workqueueOf},
	{name: "dirty", get: dirtyOf},
	{name: "processing", get: processingOf},
	{name: "delayed", get: delayedOf}, // how many keys wait for their time
	{name: "server", get: serverOf},   // the objects that live there
	{name: "revision", get: revisionOf},
	{name: "watch", get: watchOf},                             // what the connection does
	{name: "message", get: messageOf},                         // the server's last error
	{name: "actor", args: []string{"an actor"}, get: actorOf}, // what it waits for
	{name: "lock", args: []string{"a lock"}, get: lockOf},     // who holds it
	{name: "time", get: func(r *Runner, _ *informer.Informer, _ []word) (string, string) { return timeText(r.w.Now()), "" }},
	{name: "steps", get: func(r *Runner, _ *informer.Informer, _ []word) (string, string) {
		return strconv.FormatInt(r.w.Steps(), 10), ""
	}},
	{name: "stopped", get: func(_ *Runner, x *informer.Informer, _ []word) (string, string) {
		return strconv.FormatBool(x.Stopped()), ""
	}},
	{name: "crash", get: crashOf}, // what the process has died of
}

// question is a subject with what it is asked about.
type question struct {
	line     int
	informer word
	of       *subject
	args     []word
}

func parseSubject(p *line) (question, error) {
	q := question{line: p.n}
	w, err := p.next("what to look at")
	if err != nil {
		return q, err
	}
	if q.of = subjectNamed(w.text); q.of == nil {
		if q.of = subjectNamed(p.peek()); q.of == nil {
			return q, p.fail(w, "there is no "+strconv.Quote(w.text)+" to look at")
		}
		q.informer = w
		p.i++
	}
	for _, what := range q.of.args {
		a, err := p.next(what)
		if err != nil {
			return q, err
		}
		a.text = unquote(a.text)
		q.args = append(q.args, a)
	}
	return q, nil
}

func subjectNamed(name string) *subject {
	for i := range subjects {
		if subjects[i].name == name {
			return &subjects[i]
		}
	}
	return nil
}

// value answers a question. Before anything has moved it begins the world.
func (r *Runner) value(q question) (string, error) {
	if err := r.begin(q.line); err != nil {
		return "", err
	}
	i, err := r.informerNamed(q.informer, q.line)
	if err != nil {
		return "", err
	}
	v, wrong := q.of.get(r, r.w.Informers[i], q.args)
	if wrong != "" {
		return "", Error{q.line, q.args[len(q.args)-1].col, wrong}
	}
	return v, nil
}

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
		s = append(s, t.KeyText(t.Meta(o).Key)+versions(t, 0, o))
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

// deltasOf are the Deltas of a key in the queue, or else in the hands of the
// process loop.
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
	return strconv.Quote(x.Config().Table.RVText(x.Reflector.RV())), ""
}

func syncedOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	return strconv.FormatBool(x.HasSynced()), ""
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
	return objects(x.Config().Table, r.w.Simulated(x.Index()).Objects(nil)), ""
}

func revisionOf(r *Runner, x *informer.Informer, _ []word) (string, string) {
	return strconv.FormatInt(r.w.Simulated(x.Index()).Revision(), 10), ""
}

func watchOf(_ *Runner, x *informer.Informer, _ []word) (string, string) {
	return x.Server.State().String(), ""
}

func messageOf(r *Runner, x *informer.Informer, _ []word) (string, string) {
	return strconv.Quote(r.w.Simulated(x.Index()).Message()), ""
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
