package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/workqueue"
	"github.com/informerscope/informerscope/engine/world"
)

// A queue or work line moves a station by hand, as a program that uses only that
// part of client-go does. The informer that it belongs to never runs then.
//
//	queue add|update|delete KEY [LABEL=VALUE …]     queue replace [KEY …]
//	queue known none                                without knownObjects
//	queue pop [fails]        what is popped is written to the indexer; or fails and is put back
//	queue resync             queue close
//	work add|done|limited|forget KEY                work after KEY TIME
//	work get                 work wait TIME         work shutdown [drain]

// byHand is the informer whose stations are moved by hand.
func (r *Runner) byHand(line int) (*informer.Informer, error) {
	if err := r.begin(line); err != nil {
		return nil, err
	}
	if r.w.Steps() > 0 {
		return nil, Error{line, 1, "the informer runs already: its stations cannot be moved by hand"}
	}
	r.hands = true
	return r.w.Informers[0], nil
}

// moving makes the world, in which the actors may move unless something was done
// by hand.
func (r *Runner) moving(line int) error {
	if r.hands {
		return Error{line, 1, "the stations are moved by hand: nothing moves by itself"}
	}
	return r.begin(line)
}

// did tells of what was done by hand.
func (r *Runner) did(x *informer.Informer, log *event.Log) {
	e := Entry{Kind: Moved, Time: r.w.Now()}
	for _, f := range log.Events {
		e.Facts = append(e.Facts, fact(x, f))
	}
	if len(e.Facts) > 0 && r.level != logNone {
		r.tell(e)
	}
}

// version makes the next version of an object.
func (r *Runner) version(x *informer.Informer, key string, labels []string) object.Ref {
	t := x.Config().Table
	ns, name, ok := strings.Cut(key, "/")
	if !ok {
		ns, name = "", key
	}
	r.versions++
	return t.Add(object.Meta{Namespace: t.Sym(ns), Name: t.Sym(name), RV: object.NumberRV(uint64(r.versions)), Labels: labelSet(t, labels)})
}

func parseQueue(p *line) (func(*Runner) error, error) {
	verb, err := p.next("what to do with the queue")
	if err != nil {
		return nil, err
	}
	switch verb.text {
	case "add", "update", "delete":
		return parseQueueObject(p, verb.text)
	case "replace":
		var keys []string
		for p.more() {
			w, _ := p.next("")
			keys = append(keys, strings.Fields(strings.Trim(w.text, "[]"))...)
		}
		return func(r *Runner) error { return r.replace(p.n, keys) }, nil
	case "known":
		return func(r *Runner) error { return r.unknown(p.n) }, p.literal("none")
	case "pop":
		fails := p.peek() == "fails"
		if fails {
			p.i++
		}
		return func(r *Runner) error { return r.pop(p.n, fails) }, p.done()
	case "resync", "close":
		return func(r *Runner) error { return r.queueCall(p.n, verb.text == "close") }, p.done()
	}
	return nil, p.fail(verb, "a queue has no "+strconv.Quote(verb.text))
}

func parseQueueObject(p *line, verb string) (func(*Runner) error, error) {
	key, err := p.next("a key")
	if err != nil {
		return nil, err
	}
	var labels []string
	err = p.options(func(name string, v word) (wrong string) {
		labels = append(labels, name, v.text)
		return ""
	})
	return func(r *Runner) error {
		x, err := r.byHand(p.n)
		if err != nil {
			return err
		}
		var log event.Log
		it := fifo.Object(r.version(x, key.text, labels))
		switch verb {
		case "add":
			err = x.Queue.Add(it, &log)
		case "update":
			err = x.Queue.Update(it, &log)
		default:
			err = x.Queue.Delete(it, &log)
		}
		r.did(x, &log)
		return r.failed(p.n, err)
	}, err
}

// failed tells of an error that the station's caller gets.
func (r *Runner) failed(line int, err error) error {
	if err != nil {
		r.tell(Entry{Kind: Value, Text: "error: " + err.Error()})
	}
	return nil
}

func (r *Runner) replace(line int, keys []string) error {
	x, err := r.byHand(line)
	if err != nil {
		return err
	}
	var list []object.Ref
	for _, k := range keys {
		list = append(list, r.version(x, k, nil))
	}
	var log event.Log
	x.Queue.BeginReplace(list, object.NumberRV(uint64(r.versions)))
	for done := false; !done && err == nil; {
		done, err = x.Queue.StepReplace(&log)
	}
	r.did(x, &log)
	return r.failed(line, err)
}

func (r *Runner) unknown(line int) error {
	x, err := r.byHand(line)
	if err != nil {
		return err
	}
	q, ok := x.Queue.(*fifo.DeltaFIFO)
	if !ok {
		return Error{line, 1, "only a DeltaFIFO can be without knownObjects"}
	}
	q.SetKnownObjects(nil)
	return nil
}

func (r *Runner) queueCall(line int, closes bool) error {
	x, err := r.byHand(line)
	if err != nil {
		return err
	}
	var log event.Log
	if closes {
		x.Queue.Close(&log)
	} else {
		x.Queue.BeginResync()
		for done := false; !done && err == nil; {
			done, err = x.Queue.StepResync(&log)
		}
	}
	r.did(x, &log)
	return r.failed(line, err)
}

// pop is Pop with a process function that writes what it is given to the
// indexer, or fails with ErrRequeue.
func (r *Runner) pop(line int, fails bool) error {
	x, err := r.byHand(line)
	if err != nil {
		return err
	}
	var log event.Log
	deltas, ok := x.Queue.Pop(nil, &log)
	for _, d := range deltas {
		t := x.Config().Table
		text := d.Type.String()
		if d.Key != 0 {
			text += " " + t.KeyText(d.Key) + versions(t, 0, d.Obj) + labelText(t, d.Obj)
		}
		if d.Tomb > 0 {
			text += " tombstone"
		}
		r.tell(Entry{Kind: Value, Text: text})
		if !fails {
			err = apply(x, d, &log)
		}
	}
	if fails && ok {
		err = x.Queue.AddIfNotPresent(deltas, &log)
	}
	if ok {
		x.Queue.Processed(&log)
	}
	r.did(x, &log)
	return r.failed(line, err)
}

func apply(x *informer.Informer, d fifo.Delta, log *event.Log) error {
	switch d.Type {
	case event.Bookmark, event.SyncAll:
		return nil
	case event.ReplacedAll:
		list, rv := x.Queue.List(d)
		return x.Indexer.Replace(list, rv, log)
	case event.Deleted:
		return x.Indexer.Delete(d.Key, x.Config().Table.RVOf(d.Obj), d.Tomb == 0, log)
	}
	return x.Indexer.Update(d.Obj, log)
}

// labelText writes an object's labels: " value=1".
func labelText(t *object.Table, o object.Ref) string {
	s := ""
	for _, l := range t.LabelsOf(t.LabelSetOf(o)) {
		s += " " + t.Text(l.Name) + "=" + t.Text(l.Value)
	}
	return s
}

func parseWork(p *line) (func(*Runner) error, error) {
	verb, err := p.next("what to do with the workqueue")
	if err != nil {
		return nil, err
	}
	var key, when word
	var d int64
	drain := false
	switch verb.text {
	case "add", "done", "limited", "forget", "after":
		if key, err = p.next("a key"); err != nil {
			return nil, err
		}
	case "shutdown":
		if drain = p.peek() == "drain"; drain {
			p.i++
		}
	case "get", "wait":
	default:
		return nil, p.fail(verb, "a workqueue has no "+strconv.Quote(verb.text))
	}
	if verb.text == "after" || verb.text == "wait" {
		if when, err = p.next("a time"); err != nil {
			return nil, err
		}
		ok := false
		if d, ok = duration(when.text); !ok {
			return nil, p.fail(when, wantsTime)
		}
	}
	return func(r *Runner) error { return r.work(p.n, verb.text, key.text, d, drain) }, p.done()
}

// work does one thing to the workqueue, and lets its loop take in what it was
// sent.
func (r *Runner) work(line int, verb, key string, d int64, drain bool) error {
	x, err := r.byHand(line)
	if err != nil {
		return err
	}
	q, k := &x.Work.Queue, object.Key(0)
	if key != "" {
		k = x.Config().Table.Key(key)
	}
	var log event.Log
	switch verb {
	case "add":
		q.Add(k, &log)
	case "done":
		q.Done(k, 0, &log)
	case "limited":
		q.AddRateLimited(k, r.w.Now(), &log)
	case "forget":
		q.Forget(k, &log)
	case "after":
		q.AddAfter(k, d, r.w.Now(), &log)
	case "get":
		if _, how := q.Get(0, &log); how == workqueue.ShutDown {
			r.tell(Entry{Kind: Value, Text: "shut down"})
		}
	case "wait":
		r.w.Do(world.Command{Kind: world.PassTime, N: min(r.w.Now()+d, maxTime)})
	default:
		if drain {
			q.ShutDownWithDrain(&log)
		} else {
			q.ShutDown(&log)
		}
	}
	for q.LoopReady(r.w.Now()) {
		q.LoopTurn(r.w.Now(), &log)
	}
	r.did(x, &log)
	return nil
}
