package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// gets has a function for each Subject. It returns the value, or what is wrong with the
// last argument. What is asked of an informer is asked of x.
var subjectValues = [syntax.NumSubjects]func(r *Runner, x *informer.Informer, args []syntax.Word) (string, error){
	syntax.SubjectQueue:      (*Runner).queueValue,
	syntax.SubjectDeltas:     (*Runner).deltasValue,
	syntax.SubjectStore:      (*Runner).storeValue,
	syntax.SubjectGet:        (*Runner).getValue,
	syntax.SubjectIndex:      (*Runner).indexValue,
	syntax.SubjectValues:     (*Runner).valuesValue,
	syntax.SubjectRV:         (*Runner).rvValue,
	syntax.SubjectSynced:     (*Runner).syncedValue,
	syntax.SubjectInitial:    (*Runner).initialValue,
	syntax.SubjectNotified:   (*Runner).notifiedValue,
	syntax.SubjectCalls:      (*Runner).callsValue,
	syntax.SubjectCalled:     (*Runner).calledValue,
	syntax.SubjectBehind:     (*Runner).behindValue,
	syntax.SubjectPending:    (*Runner).pendingValue,
	syntax.SubjectSyncing:    (*Runner).syncingValue,
	syntax.SubjectWorkqueue:  (*Runner).workqueueValue,
	syntax.SubjectDirty:      (*Runner).dirtyValue,
	syntax.SubjectProcessing: (*Runner).processingValue,
	syntax.SubjectDelayed:    (*Runner).delayedValue,
	syntax.SubjectServer:     (*Runner).serverValue,
	syntax.SubjectRevision:   (*Runner).revisionValue,
	syntax.SubjectWatch:      (*Runner).watchValue,
	syntax.SubjectMessage:    (*Runner).messageValue,
	syntax.SubjectActor:      (*Runner).actorValue,
	syntax.SubjectLock:       (*Runner).lockValue,
	syntax.SubjectCosts:      (*Runner).costsValue,
	syntax.SubjectTime: func(r *Runner, _ *informer.Informer, _ []syntax.Word) (string, error) {
		return syntax.TimeText(r.w.Now()), nil
	},
	syntax.SubjectSteps: func(r *Runner, _ *informer.Informer, _ []syntax.Word) (string, error) {
		return strconv.FormatInt(r.w.Steps(), 10), nil
	},
	syntax.SubjectFactory: (*Runner).factoryValue,
	syntax.SubjectStopped: func(_ *Runner, x *informer.Informer, _ []syntax.Word) (string, error) {
		return strconv.FormatBool(x.Stopped()), nil
	},
	syntax.SubjectCrash: (*Runner).crashValue,
}

// value answers a question. It makes the run if there is none yet.
func (r *Runner) value(q syntax.Question) (string, error) {
	if err := r.begin(q.Line); err != nil {
		return "", err
	}
	if parts := r.partsOf(q.Informer.Text); parts != nil {
		if v, ok := r.cacheValue(parts, q); ok {
			return v, nil
		}
	}
	i, err := r.informerNamed(q.Informer, q.Line)
	if err != nil {
		return "", err
	}
	v, wrong := subjectValues[q.Subject](r, r.w.Informers[i], q.Args)
	if wrong != nil {
		return "", syntax.ErrorAt(q.Line, q.Args[len(q.Args)-1].Col, wrong)
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
		s = append(s, t.KeyText(t.KeyOf(o))+versions(t, 0, o))
	}
	return list(s)
}

func (*Runner) queueValue(x *informer.Informer, _ []syntax.Word) (string, error) {
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
	return list(s), nil
}

// deltasValue returns the Deltas of a key in the queue, or those that the process loop
// has popped.
func (*Runner) deltasValue(x *informer.Informer, args []syntax.Word) (string, error) {
	t := x.Config().Table
	k, ok := t.LookupKey(args[0].Text)
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
	return list(s), nil
}

func (*Runner) storeValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	return objects(x.Config().Table, x.Indexer.List(nil)), nil
}

func (*Runner) getValue(x *informer.Informer, args []syntax.Word) (string, error) {
	t := x.Config().Table
	if k, ok := t.LookupKey(args[0].Text); ok {
		if o, ok := x.Indexer.GetByKey(k); ok {
			return t.KeyText(k) + versions(t, 0, o), nil
		}
	}
	return "nothing", nil
}

func (*Runner) indexValue(x *informer.Informer, args []syntax.Word) (string, error) {
	k, err := x.Indexer.IndexKeys(args[0].Text, args[1].Text, nil)
	if err != nil {
		return "", err
	}
	return keys(x.Config().Table, k), nil
}

func (*Runner) valuesValue(x *informer.Informer, args []syntax.Word) (string, error) {
	var s []string
	for _, v := range x.Indexer.ListIndexFuncValues(args[0].Text, nil) {
		s = append(s, x.Config().Table.Text(v))
	}
	return list(s), nil
}

func (*Runner) rvValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	return strconv.Quote(x.Config().Table.RVText(x.LastSyncResourceVersion())), nil
}

func (*Runner) syncedValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	return strconv.FormatBool(x.HasSynced()), nil
}

func (r *Runner) factoryValue(_ *informer.Informer, _ []syntax.Word) (string, error) {
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
	return "[" + strings.Join(s, ", ") + "]", nil
}

func (*Runner) initialValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	return strconv.Itoa(x.Queue.InitialPopulationCount()), nil
}

func (r *Runner) notifiedValue(_ *informer.Informer, args []syntax.Word) (string, error) {
	i, j, wrong := r.handler(args[0].Text)
	if wrong != nil {
		return "", wrong
	}
	calls := &r.calls[i][j]
	fresh := calls.calls[calls.shown:]
	calls.shown = len(calls.calls)
	return "[" + strings.Join(fresh, ", ") + "]", nil
}

func (r *Runner) callsValue(_ *informer.Informer, args []syntax.Word) (string, error) {
	i, j, wrong := r.handler(args[0].Text)
	if wrong != nil {
		return "", wrong
	}
	return strconv.Itoa(len(r.calls[i][j].calls)), nil
}

// calledValue counts the calls of a handler with a function and a key, which may have
// a version: a/x@2, a/x@2->3.
func (r *Runner) calledValue(_ *informer.Informer, args []syntax.Word) (string, error) {
	i, j, wrong := r.handler(args[0].Text)
	if wrong != nil {
		return "", wrong
	}
	n := 0
	for _, c := range r.calls[i][j].calls {
		if isCall(c, args[1].Text, args[2].Text) {
			n++
		}
	}
	return strconv.Itoa(n), nil
}

func (r *Runner) behindValue(_ *informer.Informer, args []syntax.Word) (string, error) {
	i, j, wrong := r.handler(args[0].Text)
	if wrong != nil {
		return "", wrong
	}
	return strconv.Itoa(r.w.Informers[i].Processor.Listeners[j].Backlog()), nil
}

func (r *Runner) pendingValue(_ *informer.Informer, args []syntax.Word) (string, error) {
	i, j, wrong := r.handler(args[0].Text)
	if wrong != nil {
		return "", wrong
	}
	return strconv.Itoa(r.w.Informers[i].Processor.Listeners[j].Pending()), nil
}

func (r *Runner) syncingValue(_ *informer.Informer, args []syntax.Word) (string, error) {
	i, j, wrong := r.handler(args[0].Text)
	if wrong != nil {
		return "", wrong
	}
	return strconv.FormatBool(r.w.Informers[i].Processor.Listeners[j].Syncing), nil
}

func (r *Runner) workqueueValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	var k []object.Key
	for _, q := range r.w.Queue(x.Index()).Ready {
		k = append(k, q.Key)
	}
	return keys(x.Config().Table, k), nil
}

func (*Runner) dirtyValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	return keys(x.Config().Table, x.Work.Queue.Dirty(nil, maxObjects)), nil
}

func (*Runner) processingValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	return keys(x.Config().Table, x.Work.Queue.Processing(nil, maxObjects)), nil
}

func (*Runner) delayedValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	return strconv.Itoa(x.Work.Queue.WaitingLen()), nil
}

func (r *Runner) serverValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	return objects(x.Config().Table, r.w.Objects(x.Index())), nil
}

// costsValue returns the open watches, the lists and objects decoded so far, and the cached
// copies, of all informers together.
func (r *Runner) costsValue(_ *informer.Informer, _ []syntax.Word) (string, error) {
	u := r.w.Usage()
	n := func(name string, n int64) string { return name + "=" + strconv.FormatInt(n, 10) }
	return list([]string{n("watches", u.Watches), n("lists", u.Lists), n("objects", u.Objects), n("copies", u.Copies)}), nil
}

func (r *Runner) revisionValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	return strconv.FormatInt(r.w.Revision(x.Index()), 10), nil
}

func (*Runner) watchValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	return x.Server.State().String(), nil
}

func (r *Runner) messageValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	if s := r.w.Simulated(x.Index()); s != nil {
		return strconv.Quote(s.Message()), nil
	}
	return strconv.Quote(x.Server.View(0, 0).Message), nil
}

func (r *Runner) actorValue(_ *informer.Informer, args []syntax.Word) (string, error) {
	id, err := r.actor(args[0].Text)
	if err != nil {
		return "", err
	}
	return r.waits(id), nil
}

func (r *Runner) lockValue(x *informer.Informer, args []syntax.Word) (string, error) {
	var names []string
	for l := range actor.NumLocks {
		if names = append(names, l.String()); l.String() != args[0].Text {
			continue
		}
		if id := x.Locks[l].Holder(); id != actor.Nobody {
			return r.actorName(id), nil
		}
		return "free", nil
	}
	return "", fault.Unknown("noLock name", args[0].Text, names)
}

func (*Runner) crashValue(x *informer.Informer, _ []syntax.Word) (string, error) {
	if err := x.Crash(); err != nil {
		return err.Error(), nil
	}
	return "none", nil
}

// checkNames returns an error if an expression names an informer or a handler that isn't
// there. The expression's text begins at a column, or was made of an older word
// that names a handler.
func (r *Runner) checkNames(line int, x *ask.Expr, col int, old syntax.Word) error {
	names := &ask.Names{Informers: []string{}, Handlers: []string{}}
	for i := range r.cfg.Informers {
		names.Informers = append(names.Informers, r.cfg.Informers[i].Name)
		for _, h := range r.config(i).Handlers {
			names.Handlers = append(names.Handlers, h.Name)
		}
	}
	err := x.Check(names)
	if e, ok := err.(*ask.Error); ok && old.Col != 0 {
		return syntax.ErrorAt(line, old.Col, e.Err)
	}
	return syntax.Located(err, line, col)
}

// valueOf evaluates an expression where the run stands. It makes the run if there is
// none yet.
func (r *Runner) valueOf(line int, x *ask.Expr, col int) (*ask.Eval, error) {
	if err := r.begin(line); err != nil {
		return nil, err
	}
	if err := r.checkNames(line, x, col, syntax.Word{}); err != nil {
		return nil, err
	}
	return x.Begin(r.h, 0), nil
}

func parseShowValue(p *syntax.Parser) (func(*Runner) error, error) {
	x, col, err := p.Expression(0)
	return func(r *Runner) error {
		e, err := r.valueOf(p.Line, x, col)
		if err == nil {
			r.emit(Entry{Kind: Value, Text: e.Value().Text(x.Type())})
		}
		return err
	}, err
}

func parseExpectTrue(p *syntax.Parser) (func(*Runner) error, error) {
	x, col, err := p.Expression(ask.Bool)
	return func(r *Runner) error {
		e, err := r.valueOf(p.Line, x, col)
		if err != nil || e.Value().True() {
			return err
		}
		wrong := error(fault.Plain("isFalse"))
		if why := e.Explain(); why != "" {
			wrong = fault.Named("isFalseBecause why", why)
		}
		return Unmet{syntax.ErrorAt(p.Line, col, wrong), "false"}
	}, err
}

func parseShow(p *syntax.Parser) (func(*Runner) error, error) {
	if p.AtExpression() {
		return parseShowValue(p)
	}
	q, err := p.Question()
	if err != nil {
		return nil, err
	}
	return func(r *Runner) error {
		v, err := r.value(q)
		if err == nil {
			r.emit(Entry{Kind: Value, Text: v})
		}
		return err
	}, p.Done()
}

func parseExpect(p *syntax.Parser) (func(*Runner) error, error) {
	if p.AtExpression() {
		return parseExpectTrue(p)
	}
	q, err := p.Question()
	if err != nil {
		return nil, err
	}
	at := syntax.Word{Col: p.End}
	if p.More() {
		at = p.Words[p.Pos]
	}
	want := p.Rest()
	if want == "" {
		return nil, p.Fail(at, syntax.Missing(syntax.AValue))
	}
	return func(r *Runner) error {
		got, err := r.value(q)
		if err != nil {
			return err
		}
		if !meets(got, want) {
			return Unmet{syntax.ErrorAt(p.Line, at.Col, fault.New("unmet got wanted", got, want)), got}
		}
		return nil
	}, nil
}

// SameValue reports whether two values are the same to an expect.
func SameValue(a, b string) bool { return withoutPunctuation(a) == withoutPunctuation(b) }

// meets reports whether a value is what is wanted: the same value, or at least the number after ">=".
func meets(got, want string) bool {
	least, ok := strings.CutPrefix(want, ">=")
	if !ok {
		return SameValue(got, want)
	}
	n, err := strconv.Atoi(strings.TrimSpace(least))
	have, err2 := strconv.Atoi(got)
	return err == nil && err2 == nil && have >= n
}

// withoutPunctuation returns a value without the commas, brackets and spaces that don't matter when
// values are compared.
func withoutPunctuation(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(" \t,[]", c) }), " ")
}
