package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

// forKind finds the informer whose objects are of a kind: pod or pods for an
// informer called pods.
func (r *Runner) forKind(kind syntax.Word, line int) (int, error) {
	for i := range r.cfg.Informers {
		n, _, _ := strings.Cut(r.cfg.Informers[i].Name, ".") // without the API group
		stem, ies := strings.CutSuffix(n, "ies")
		if r.cfg.Informers[i].Name == kind.Text || n == kind.Text || n == kind.Text+"s" || n == kind.Text+"es" || ies && stem+"y" == kind.Text {
			return i, nil
		}
	}
	if len(r.cfg.Informers) == 0 {
		return 0, syntax.At(line, kind.Col, fault.Plain("noInformerYet"))
	}
	return 0, syntax.At(line, kind.Col, fault.Quoted("noInformerOf kind", kind.Text))
}

const maxObjects = 100_000

// object completes a command that is about an object of the server.
func (r *Runner) object(m *syntax.Parsed) (world.Command, error) {
	c := m.Command
	i, err := r.forKind(m.Kind, m.Line)
	if err != nil {
		return c, err
	}
	t := r.cfg.Informers[i].Table
	if t.Len() > maxObjects {
		return c, syntax.At(m.Line, 1, fault.Plain("manyObjects"))
	}
	ns, name, ok := strings.Cut(m.Object.Text, "/")
	if !ok {
		ns, name = "", m.Object.Text
	}
	if name == "" {
		return c, syntax.At(m.Line, m.Object.Col, fault.Plain("needsName"))
	}
	c.Informer, c.Object = i, object.Meta{Namespace: t.Sym(ns), Name: t.Sym(name), Labels: labelSet(t, m.Labels)}
	return c, nil
}

// write creates, updates or deletes an object. Before the first such line, the
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
		c.Object.UID = t.Sym("uid-" + strconv.FormatInt(r.w.Revision(c.Informer)+1, 10))
	case world.Delete:
		c.Object.Key = t.MakeKey(c.Object)
	}
	if !r.do(c) {
		if c.Kind == world.Patch && apiserver.SecondOwner(r.cfg.Informers[c.Informer].Table, r.w.Object(c.Informer, r.cfg.Informers[c.Informer].Table.MakeKey(c.Object)), c.Object.Labels) {
			return syntax.At(m.Line, m.Object.Col, fault.Quoted("twoControllers name", m.Object.Text))
		}
		return refused(m)
	}
	return nil
}

// refused is why an object can't be written.
func refused(m *syntax.Parsed) error {
	text := fault.Quoted("noObject name", m.Object.Text)
	if m.Command.Kind == world.Create {
		text = fault.Quoted("objectTwice name", m.Object.Text)
	}
	return syntax.At(m.Line, m.Object.Col, text)
}

// exists writes an object before the world begins.
func (r *Runner) addExisting(m *syntax.Parsed) error {
	if r.recorded != nil {
		return syntax.At(m.Line, 1, fault.Plain("ownObjects"))
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
	c.Object.UID = r.cfg.Informers[c.Informer].Table.Sym("uid-" + strconv.FormatInt(rev, 10))
	for i := range r.cfg.Informers {
		s := r.cfg.Informers[i].Server.(*apiserver.Simulated)
		if s.Config().Versions != versions {
			s.Storage.Advance(rev, 0)
		} else if s.Write(apiserver.Write{Verb: apiserver.Create, Object: c.Object}, rev, 0).Failed() {
			return refused(m)
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
