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
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// subjectValue returns the value of a Subject, or what is wrong with the last argument. What is asked of an
// informer is asked of x.
type subjectValue func(r *Runner, x *informer.Informer, args []syntax.Word) (string, error)

var subjectValues = [syntax.NumSubjects]subjectValue{
	syntax.SubjectQueue:    informerValue((*Runner).queueValue),
	syntax.SubjectDeltas:   (*Runner).deltasValue,
	syntax.SubjectStore:    informerValue(func(_ *Runner, x *informer.Informer) string { return objects(x.Config().Table, x.Indexer.List(nil)) }),
	syntax.SubjectGet:      (*Runner).getValue,
	syntax.SubjectIndex:    (*Runner).indexValue,
	syntax.SubjectValues:   (*Runner).valuesValue,
	syntax.SubjectRV:       informerValue((*Runner).rvValue),
	syntax.SubjectSynced:   informerValue(func(_ *Runner, x *informer.Informer) string { return strconv.FormatBool(x.HasSynced()) }),
	syntax.SubjectInitial:  informerValue(func(_ *Runner, x *informer.Informer) string { return strconv.Itoa(x.Queue.InitialPopulationCount()) }),
	syntax.SubjectNotified: handlerValue((*handlerCalls).notified),
	syntax.SubjectCalls: handlerValue(func(c *handlerCalls, _ *processor.Listener, _ []syntax.Word) string {
		return strconv.Itoa(len(c.calls))
	}),
	syntax.SubjectCalled:  handlerValue((*handlerCalls).called),
	syntax.SubjectBehind:  handlerValue(func(_ *handlerCalls, l *processor.Listener, _ []syntax.Word) string { return strconv.Itoa(l.Backlog()) }),
	syntax.SubjectPending: handlerValue(func(_ *handlerCalls, l *processor.Listener, _ []syntax.Word) string { return strconv.Itoa(l.Pending()) }),
	syntax.SubjectSyncing: handlerValue(func(_ *handlerCalls, l *processor.Listener, _ []syntax.Word) string {
		return strconv.FormatBool(l.Syncing)
	}),
	syntax.SubjectWorkqueue: informerValue((*Runner).workqueueValue),
	syntax.SubjectDirty: informerValue(func(_ *Runner, x *informer.Informer) string {
		return keys(x.Config().Table, x.Work.Queue.Dirty(nil, maxObjects))
	}),
	syntax.SubjectProcessing: informerValue(func(_ *Runner, x *informer.Informer) string {
		return keys(x.Config().Table, x.Work.Queue.Processing(nil, maxObjects))
	}),
	syntax.SubjectDelayed:  informerValue(func(_ *Runner, x *informer.Informer) string { return strconv.Itoa(x.Work.Queue.WaitingLen()) }),
	syntax.SubjectServer:   informerValue(func(r *Runner, x *informer.Informer) string { return objects(x.Config().Table, r.w.Objects(x.Index())) }),
	syntax.SubjectRevision: informerValue(func(r *Runner, x *informer.Informer) string { return strconv.FormatInt(r.w.Revision(x.Index()), 10) }),
	syntax.SubjectWatch:    informerValue(func(_ *Runner, x *informer.Informer) string { return x.Server.State().String() }),
	syntax.SubjectMessage:  informerValue((*Runner).messageValue),
	syntax.SubjectActor:    (*Runner).actorValue,
	syntax.SubjectLock:     (*Runner).lockValue,
	syntax.SubjectCosts:    informerValue((*Runner).costsValue),
	syntax.SubjectTime:     informerValue(func(r *Runner, _ *informer.Informer) string { return syntax.TimeText(r.w.Now()) }),
	syntax.SubjectSteps:    informerValue(func(r *Runner, _ *informer.Informer) string { return strconv.FormatInt(r.w.Steps(), 10) }),
	syntax.SubjectFactory:  informerValue((*Runner).factoryValue),
	syntax.SubjectStopped:  informerValue(func(_ *Runner, x *informer.Informer) string { return strconv.FormatBool(x.Stopped()) }),
	syntax.SubjectCrash:    informerValue((*Runner).crashValue),
}

// informerValue returns the subjectValue of what is asked without arguments.
func informerValue(value func(r *Runner, x *informer.Informer) string) subjectValue {
	return func(r *Runner, x *informer.Informer, _ []syntax.Word) (string, error) { return value(r, x), nil }
}

// handlerValue returns the subjectValue of what is asked of a handler, which the first argument names.
func handlerValue(value func(c *handlerCalls, l *processor.Listener, args []syntax.Word) string) subjectValue {
	return func(r *Runner, _ *informer.Informer, args []syntax.Word) (string, error) {
		i, j, wrong := r.handler(args[0].Text)
		if wrong != nil {
			return "", wrong
		}
		return value(&r.calls[i][j], &r.w.Informers[i].Processor.Listeners[j], args), nil
	}
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

func (*Runner) queueValue(x *informer.Informer) string {
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
	return list(s)
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

func (*Runner) rvValue(x *informer.Informer) string {
	return strconv.Quote(x.Config().Table.RVText(x.LastSyncResourceVersion()))
}

func (r *Runner) factoryValue(_ *informer.Informer) string {
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
	return "[" + strings.Join(s, ", ") + "]"
}

// notified returns the calls since the last time.
func (c *handlerCalls) notified(*processor.Listener, []syntax.Word) string {
	fresh := c.calls[c.shown:]
	c.shown = len(c.calls)
	return "[" + strings.Join(fresh, ", ") + "]"
}

// called counts the calls with a function and a key, which may have a version: a/x@2, a/x@2->3.
func (c *handlerCalls) called(_ *processor.Listener, args []syntax.Word) string {
	n := 0
	for _, call := range c.calls {
		if isCall(call, args[1].Text, args[2].Text) {
			n++
		}
	}
	return strconv.Itoa(n)
}

func (r *Runner) workqueueValue(x *informer.Informer) string {
	var k []object.Key
	for _, q := range r.w.Queue(x.Index()).Ready {
		k = append(k, q.Key)
	}
	return keys(x.Config().Table, k)
}

// costsValue returns the open watches, the lists and objects decoded so far, and the cached
// copies, of all informers together.
func (r *Runner) costsValue(_ *informer.Informer) string {
	u := r.w.Usage()
	n := func(name string, n int64) string { return name + "=" + strconv.FormatInt(n, 10) }
	return list([]string{n("watches", u.Watches), n("lists", u.Lists), n("objects", u.Objects), n("copies", u.Copies)})
}

func (r *Runner) messageValue(x *informer.Informer) string {
	if s := r.w.Simulated(x.Index()); s != nil {
		return strconv.Quote(s.Message())
	}
	return strconv.Quote(x.Server.View(0, 0).Message)
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

func (*Runner) crashValue(x *informer.Informer) string {
	if err := x.Crash(); err != nil {
		return err.Error()
	}
	return "none"
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
