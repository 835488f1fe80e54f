package script

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// carryOut carries out the command that a line has made on an informer, on one
// of its handlers, or on its server.
func (r *Runner) carryOut(m *syntax.Parsed) error {
	c := m.Command
	if m.Handler.Col > 0 {
		i, j, err := r.handler(m.Handler.Text)
		if err != nil {
			return syntax.ErrorAt(m.Line, m.Handler.Col, err)
		}
		c.Informer, c.Listener = i, j
	} else {
		i, err := r.informerNamed(m.Informer, m.Line)
		if err != nil {
			return err
		}
		c.Informer = i
	}
	if err := r.beginMoving(m.Line); err != nil {
		return err
	}
	if m.Key.Col > 0 {
		c.Object.Key = r.config(c.Informer).Table.Key(m.Key.Text)
	}
	if c.Kind == world.RestoreServer && r.w.Election != nil && !r.w.Election.Sharded {
		return syntax.ErrorAt(m.Line, 1, fault.Plain("restoresNoLease"))
	}
	if c.Kind == world.RestoreServer && c.N > r.w.Revision(c.Informer) {
		return syntax.ErrorAt(m.Line, 1, fault.Number("notReached rv", c.N))
	}
	if !r.playCommand(c) {
		if c.Kind == world.WriteBack {
			return syntax.ErrorAt(m.Line, m.Key.Col, fault.Quoted("notWritten key", m.Key.Text))
		}
		return syntax.ErrorAt(m.Line, 1, fault.Plain("noEffect"))
	}
	return nil
}

// pauseWork pauses or resumes a workqueue, which has workers or is moved by hand. A version whose workqueues
// aren't Pausable goes on.
func (r *Runner) pauseWork(m *syntax.Parsed) error {
	c := m.Command
	var err error
	if c.Informer, err = r.informerNamed(m.Informer, m.Line); err != nil {
		return err
	}
	if err := r.begin(m.Line); err != nil {
		return err
	}
	if p := &r.w.Informers[c.Informer].Config().Profile; !p.Pausable {
		r.emit(Entry{Kind: Value, Text: "client-go " + p.Release() + " can't pause a workqueue: it goes on"})
		return nil
	}
	if !r.playCommand(c) {
		return syntax.ErrorAt(m.Line, 1, fault.Plain("noEffect"))
	}
	return nil
}

// mutate changes an object in the cache.
func (r *Runner) mutate(m *syntax.Parsed) error {
	if err := r.beginMoving(m.Line); err != nil {
		return err
	}
	i, err := r.informerNamed(m.Informer, m.Line)
	if err != nil {
		return err
	}
	t := r.w.Informers[i].Config().Table
	c := m.Command
	k, ok := t.LookupKey(m.Key.Text)
	c.Informer, c.Object = i, object.Meta{Key: k, Labels: labelSet(t, m.Labels)}
	if !ok || !r.playCommand(c) {
		return syntax.ErrorAt(m.Line, m.Key.Col, fault.Unknown("notCached key", m.Key.Text, keyNames(t, func(k object.Key) bool {
			_, cached := r.w.Informers[i].Indexer.GetByKey(k)
			return cached
		})))
	}
	return nil
}

// informerOfKind finds the informer whose objects are of a kind: pod or pods for an
// informer called pods.
func (r *Runner) informerOfKind(kind syntax.Word, line int) (int, error) {
	var names []string
	for i := range r.cfg.Informers {
		names = append(names, r.cfg.Informers[i].Name)
		n, _, _ := strings.Cut(names[i][strings.LastIndexByte(names[i], '/')+1:], ".") // without the API group
		stem, ies := strings.CutSuffix(n, "ies")
		if names[i] == kind.Text || n == kind.Text || n == kind.Text+"s" || n == kind.Text+"es" || ies && stem+"y" == kind.Text {
			return i, nil
		}
	}
	if len(names) == 0 {
		return 0, syntax.ErrorAt(line, kind.Col, fault.Plain("noInformerYet"))
	}
	return 0, syntax.ErrorAt(line, kind.Col, fault.Unknown("noResource kind", kind.Text, names))
}

const maxObjects = 100_000

// object completes a command that is about an object of the server.
func (r *Runner) object(m *syntax.Parsed) (world.Command, error) {
	c := m.Command
	i, err := r.informerOfKind(m.Kind, m.Line)
	if err != nil {
		return c, err
	}
	t := r.cfg.Informers[i].Table
	if t.Len() > maxObjects {
		return c, syntax.ErrorAt(m.Line, 1, fault.Plain("manyObjects"))
	}
	ns, name, ok := strings.Cut(m.Object.Text, "/")
	if !ok {
		ns, name = "", m.Object.Text
	}
	if name == "" {
		return c, syntax.ErrorAt(m.Line, m.Object.Col, fault.Plain("needsName"))
	}
	c.Informer, c.Object = r.partOf(i, ns), object.Meta{Namespace: t.Sym(ns), Name: t.Sym(name), Labels: labelSet(t, m.Labels)}
	return c, nil
}

// writeObject creates, updates or deletes an object. Before the first such line, the
// informers list and watch.
func (r *Runner) writeObject(m *syntax.Parsed) error {
	c, err := r.object(m)
	if err != nil {
		return err
	}
	if r.h == nil || !r.w.Moved() && !r.attached {
		if err := r.run(m.Line, nil, byDefault); err != nil {
			return err
		}
	}
	switch t := r.cfg.Informers[c.Informer].Table; c.Kind {
	case world.Create:
		c.Object.UID = t.Sym(r.uid(r.w.Revision(c.Informer) + 1))
	case world.Delete:
		c.Object.Key = t.MakeKey(c.Object)
	}
	if !r.playCommand(c) {
		if c.Kind == world.Patch && apiserver.SecondOwner(r.cfg.Informers[c.Informer].Table, r.w.Object(c.Informer, r.cfg.Informers[c.Informer].Table.MakeKey(c.Object)), c.Object.Labels) {
			return syntax.ErrorAt(m.Line, m.Object.Col, fault.Quoted("twoControllers name", m.Object.Text))
		}
		return r.refused(m, c.Informer)
	}
	return nil
}

// refused returns why an object of informer i can't be written.
func (r *Runner) refused(m *syntax.Parsed, i int) error {
	var why error
	t, name := r.cfg.Informers[i].Table, m.Object.Text
	switch k, _ := t.LookupKey(name); {
	case m.Command.Kind == world.Create:
		why = fault.Quoted("objectTwice name", name)
	case k != 0 && r.w.Object(i, k) != 0:
		why = fault.Quoted("alreadyDeleted name", name)
	default:
		why = fault.Unknown("noObject name", name, keyNames(t, func(k object.Key) bool { return r.w.Object(i, k) != 0 }))
	}
	return syntax.ErrorAt(m.Line, m.Object.Col, why)
}

// keyNames returns the keys that are wanted, sorted, of the first thousand that t has.
func keyNames(t *object.Table, wanted func(object.Key) bool) (names []string) {
	for n := range min(t.Keys(), 1000) {
		if k := object.Key(n); k != 0 && wanted(k) {
			names = append(names, t.KeyText(k))
		}
	}
	slices.Sort(names)
	return names
}

// addExisting writes an object before the world begins.
func (r *Runner) addExisting(m *syntax.Parsed) error {
	if r.recorded != nil {
		return syntax.ErrorAt(m.Line, 1, fault.Plain("ownObjects"))
	}
	c, err := r.object(m)
	if err != nil {
		return err
	}
	rev := int64(0)
	versions := r.cfg.Informers[c.Informer].Server.(*apiserver.Simulated).Config().Versions
	for i := range r.cfg.Informers {
		rev = max(rev, r.cfg.Informers[i].Server.(*apiserver.Simulated).Storage.Revision()+1)
	}
	c.Object.UID = r.cfg.Informers[c.Informer].Table.Sym(r.uid(rev))
	for i := range r.cfg.Informers {
		s := r.cfg.Informers[i].Server.(*apiserver.Simulated)
		if s.Config().Versions != versions {
			s.Storage.Advance(rev, 0)
		} else if s.Write(apiserver.Write{Verb: apiserver.Create, Object: c.Object}, rev, 0).Failed() {
			return r.refused(m, i)
		}
	}
	return nil
}

func labelSet(t *object.Table, labels []string) object.Labels {
	var set []object.Label
	for i := 0; i < len(labels); i += 2 {
		l := object.Label{Name: t.Sym(labels[i]), Value: t.Sym(labels[i+1])}
		at := 0
		for at < len(set) && t.CompareSyms(set[at].Name, l.Name) < 0 {
			at++
		}
		if at < len(set) && set[at].Name == l.Name {
			set[at] = l
			continue
		}
		set = append(set, object.Label{})
		copy(set[at+1:], set[at:])
		set[at] = l
	}
	return t.LabelSet(set)
}

// A queue, work or notify line moves one station by hand, as a program does that uses
// only this part of client-go. The station's informer then never runs.
//
// What queue pop pops is written to the indexer. After queue pop fails, it is in the
// queue again. After queue pop errs, it is lost, unless a queue retry follows, which puts
// it back as processLoop does with the option RetryOnError. A notify line hands a
// notification to a sharedProcessor, whose listeners move by themselves.

// byHand carries out a call on a station of the first informer, and adds its
// results and facts to the transcript.
func (r *Runner) byHand(line int, c world.Command) error {
	if !r.h.Do(c) {
		return syntax.ErrorAt(line, 1, fault.Plain("runs"))
	}
	got, t := &r.w.Returned, r.config(0).Table
	for _, d := range got.Deltas {
		text := d.Type.String()
		if d.Key != 0 {
			text += " " + t.KeyText(d.Key) + versions(t, 0, d.Obj) + labelText(t, d.Obj)
		}
		if d.Tomb > 0 {
			text += " tombstone"
		}
		r.emit(Entry{Kind: Value, Text: text})
	}
	if got.ShutDown {
		r.emit(Entry{Kind: Value, Text: "shut down"})
	}
	r.record()
	if got.Err != nil {
		r.emit(Entry{Kind: Value, Text: "error: " + got.Err.Error()})
	}
	return nil
}

// beginMoving makes the run if there is none yet. It returns an error if a station is moved
// by hand, because no actor moves then.
func (r *Runner) beginMoving(line int) error {
	if err := r.begin(line); err != nil {
		return err
	}
	if r.w.ByHand() {
		return syntax.ErrorAt(line, 1, fault.Plain("byHand"))
	}
	return nil
}

func (r *Runner) version(key string, labels []string) object.Ref {
	t := r.config(0).Table
	ns, name, ok := strings.Cut(key, "/")
	if !ok {
		ns, name = "", key
	}
	r.versions++
	return t.Add(object.Meta{Namespace: t.Sym(ns), Name: t.Sym(name), RV: object.NumberRV(uint64(r.versions)), Labels: labelSet(t, labels)})
}

func (r *Runner) callQueue(m *syntax.Parsed) error {
	if err := r.begin(m.Line); err != nil {
		return err
	}
	c := m.Command
	if m.Key.Col > 0 {
		c.Refs = []object.Ref{r.version(m.Key.Text, m.Labels)}
	}
	for _, k := range m.Keys {
		c.Refs = append(c.Refs, r.version(k, nil))
	}
	if c.Kind == world.QueueReplace {
		c.N = r.versions
	}
	return r.byHand(m.Line, c)
}

// callProcessor plays a call of distribute. An update or a deletion is about the
// version that the processor was given last.
func (r *Runner) callProcessor(m *syntax.Parsed) error {
	if err := r.begin(m.Line); err != nil {
		return err
	}
	c, t := m.Command, r.config(0).Table
	var last object.Ref
	for _, in := range r.h.Inputs() {
		if c := in.Command; c != nil && c.Kind >= world.NotifyAdd && syntax.ObjectName(t, t.Meta(c.Refs[0])) == syntax.Quote(m.Key.Text) {
			last = c.Refs[0]
		}
	}
	switch {
	case c.Kind == world.NotifyAdd:
		c.Refs = []object.Ref{r.version(m.Key.Text, m.Labels)}
	case last == 0:
		return syntax.ErrorAt(m.Line, m.Key.Col, fault.Quoted("notAdded key", m.Key.Text))
	case c.Kind == world.NotifyDelete:
		c.Refs = []object.Ref{last}
	default:
		c.Refs = []object.Ref{r.version(m.Key.Text, m.Labels), last}
	}
	return r.byHand(m.Line, c)
}

func (r *Runner) callWorkqueue(m *syntax.Parsed) error {
	if err := r.begin(m.Line); err != nil {
		return err
	}
	c, times := m.Command, int64(1)
	if c.Kind == world.WorkAddRateLimited {
		times, c.N = max(1, c.N), 0
	}
	if m.Key.Col > 0 {
		c.Object.Key = r.config(0).Table.Key(m.Key.Text)
	}
	for range times {
		if err := r.byHand(m.Line, c); err != nil {
			return err
		}
	}
	return nil
}

// labelText writes an object's labels: " value=1".
func labelText(t *object.Table, o object.Ref) string {
	s := ""
	for _, l := range t.LabelsOf(t.LabelSetOf(o)) {
		s += " " + t.Text(l.Name) + "=" + t.Text(l.Value)
	}
	return s
}
