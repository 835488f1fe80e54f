package script

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
)

// subject is something that show and expect can ask for. args are the words that
// follow its name.
type subject struct {
	name string
	args []error
	get  func(r *Runner, x *informer.Informer, args []word) (string, error) // the value, or what is wrong with the last argument

	tells bool // the subject is a part of the transcript; all others are parts of the machine
}

var subjects = []subject{
	{name: "queue", get: queueOf},                                                      // the keys in the queue, or the keys of its deltas
	{name: "deltas", args: []error{aKey}, get: deltasOf},                               // of a key, in the queue or in the process loop's hands
	{name: "store", get: storeOf},                                                      // the indexer's objects
	{name: "get", args: []error{aKey}, get: getOf},                                     // one of them: GetByKey
	{name: "index", args: []error{anIndex, aValue}, get: indexOf},                      // IndexKeys
	{name: "values", args: []error{anIndex}, get: valuesOf},                            // ListIndexFuncValues
	{name: "rv", get: rvOf},                                                            // lastSyncResourceVersion
	{name: "synced", get: syncedOf},                                                    // HasSynced
	{name: "initial", get: initialOf},                                                  // initialPopulationCount
	{name: "notified", args: []error{aHandler}, get: notifiedOf, tells: true},          // its calls since the last time
	{name: "calls", args: []error{aHandler}, get: callsOf, tells: true},                // how many calls it has had
	{name: "called", args: []error{aHandler, aCall, aKey}, get: calledOf, tells: true}, // how often that function was called with that key
	{name: "behind", args: []error{aHandler}, get: behindOf},
	{name: "pending", args: []error{aHandler}, get: pendingOf}, // pendingNotifications
	{name: "syncing", args: []error{aHandler}, get: syncingOf},
	{name: "workqueue", get: workqueueOf},
	{name: "dirty", get: dirtyOf},
	{name: "processing", get: processingOf},
	{name: "delayed", get: delayedOf}, // how many keys wait for their time
	{name: "server", get: serverOf},   // the objects that it holds
	{name: "revision", get: revisionOf},
	{name: "watch", get: watchOf},                         // what the connection does
	{name: "message", get: messageOf},                     // the server's last error
	{name: "actor", args: []error{anActor}, get: actorOf}, // what it waits for
	{name: "lock", args: []error{aLock}, get: lockOf},     // who holds it
	{name: "costs", get: costsOf},                         // of all informers together
	{name: "time", get: func(r *Runner, _ *informer.Informer, _ []word) (string, error) { return timeText(r.w.Now()), nil }},
	{name: "steps", get: func(r *Runner, _ *informer.Informer, _ []word) (string, error) {
		return strconv.FormatInt(r.w.Steps(), 10), nil
	}},
	{name: "factory", get: factoryOf}, // its informers, and how far they are
	{name: "stopped", get: func(_ *Runner, x *informer.Informer, _ []word) (string, error) {
		return strconv.FormatBool(x.Stopped()), nil
	}},
	{name: "crash", get: crashOf}, // what the process has died of
}

// question is a subject with its arguments.
type question struct {
	line     int
	informer word
	of       *subject
	args     []word
}

func parseSubject(p *line) (question, error) {
	q := question{line: p.n}
	w, err := p.next(fault.Plain("aSubject"))
	if err != nil {
		return q, err
	}
	if q.of = subjectNamed(w.text); q.of == nil {
		if q.of = subjectNamed(p.peek()); q.of == nil {
			return q, p.fail(w, fault.Quoted("noSubject name", w.text))
		}
		q.informer = w
		p.i++
	}
	for _, what := range q.of.args {
		a, err := p.name(what)
		if err != nil {
			return q, err
		}
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

// value answers a question. It makes the run if there is none yet.
func (r *Runner) value(q question) (string, error) {
	if err := r.begin(q.line); err != nil {
		return "", err
	}
	i, err := r.informerNamed(q.informer, q.line)
	if err != nil {
		return "", err
	}
	v, wrong := q.of.get(r, r.w.Informers[i], q.args)
	if wrong != nil {
		return "", Error{q.line, q.args[len(q.args)-1].col, wrong}
	}
	return v, nil
}
