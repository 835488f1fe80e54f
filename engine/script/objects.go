package script

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// forKind finds the informer whose objects are of a kind: pod or pods for an
// informer called pods.
func (r *Runner) forKind(kind word, line int) (int, error) {
	for i := range r.cfg.Informers {
		n, _, _ := strings.Cut(r.cfg.Informers[i].Name, ".") // without the API group
		stem, ies := strings.CutSuffix(n, "ies")
		if n == kind.text || n == kind.text+"s" || n == kind.text+"es" || ies && stem+"y" == kind.text {
			return i, nil
		}
	}
	if len(r.cfg.Informers) == 0 {
		return 0, Error{line, kind.col, "there is no informer yet"}
	}
	return 0, Error{line, kind.col, "there is no informer of " + strconv.Quote(kind.text)}
}

const maxObjects = 100_000

// write creates, updates or deletes an object. Before the first such line, the
// informers list and watch.
func (r *Runner) write(kind world.CommandKind, before bool, line int, k, name word, labels []string) error {
	i, err := r.forKind(k, line)
	if err != nil {
		return err
	}
	t := r.cfg.Informers[i].Table
	if t.Len() > maxObjects {
		return Error{line, 1, "there are too many versions of objects"}
	}
	c := world.Command{Kind: kind, Informer: i}
	ns, n, ok := strings.Cut(name.text, "/")
	if !ok {
		ns, n = "", name.text
	}
	if n == "" {
		return Error{line, name.col, "an object needs a name"}
	}
	c.Object = object.Meta{Namespace: t.Sym(ns), Name: t.Sym(n), Labels: labelSet(t, labels)}
	if before {
		return r.exists(c, line, name)
	}
	if r.h == nil || !r.w.Moved() && !r.attached {
		if err := r.run(line, nil); err != nil {
			return err
		}
	}
	switch kind {
	case world.Create:
		c.Object.UID = t.Sym("uid-" + strconv.FormatInt(r.w.Revision(i)+1, 10))
	case world.Delete:
		c.Object.Key = t.MakeKey(c.Object)
	}
	if !r.do(c) {
		return Error{line, name.col, r.refused(kind, name.text)}
	}
	return nil
}

func (r *Runner) refused(kind world.CommandKind, name string) string {
	if kind == world.Create {
		return "there is an object " + strconv.Quote(name) + " already"
	}
	return "there is no object " + strconv.Quote(name)
}

// exists writes an object before the world begins.
func (r *Runner) exists(c world.Command, line int, name word) error {
	if r.recorded != nil {
		return Error{line, 1, "a recording has its objects already"}
	}
	rev := int64(0)
	versions := r.cfg.Informers[c.Informer].Server.(*apiserver.Simulated).Config().Versions
	for i := range r.cfg.Informers {
		rev = max(rev, r.cfg.Informers[i].Server.(*apiserver.Simulated).Revision()+1)
	}
	c.Object.UID = r.cfg.Informers[c.Informer].Table.Sym("uid-" + strconv.FormatInt(rev, 10))
	for i := range r.cfg.Informers {
		s := r.cfg.Informers[i].Server.(*apiserver.Simulated)
		if s.Config().Versions != versions {
			s.Advance(rev, 0)
		} else if !s.Create(c.Object, rev, 0) {
			return Error{line, name.col, r.refused(world.Create, name.text)}
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

// command does something to an informer or its server.
func (r *Runner) command(line int, in word, c world.Command) error {
	i, err := r.informerNamed(in, line)
	if err != nil {
		return err
	}
	if err := r.moving(line); err != nil {
		return err
	}
	c.Informer = i
	if c.Kind == world.RestoreServer && c.N > r.w.Revision(i) {
		return Error{line, 1, "revision " + strconv.FormatInt(c.N, 10) + " has not been reached"}
	}
	r.do(c)
	return nil
}
