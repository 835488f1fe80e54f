package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

func readNamespaces(in *informerLine, v syntax.Word) error {
	for name := range strings.SplitSeq(v.Text, ",") {
		if name == "" || strings.Contains(name, "/") || slices.Contains(in.namespaces, name) {
			return fault.Quoted("noNamespaces text", v.Text)
		}
		in.namespaces = append(in.namespaces, name)
	}
	return nil
}

// addInformers adds the informer of a line, or one for each of its namespaces. Those have the names that the paths of their
// requests end with: shop/pods and payments/pods.
func (r *Runner) addInformers(in informerLine, line, col int) error {
	if len(in.namespaces) == 0 {
		return r.addInformer(in, line, col)
	}
	resource := in.name
	for i, namespace := range in.namespaces {
		in.name, in.part = namespace+"/"+resource, i
		if err := r.addInformer(in, line, col); err != nil {
			return err
		}
	}
	return nil
}

// selects returns what the requests of an informer select, nil for everything: its namespace, and its selector.
func (in *informerLine) selects(t *object.Table) func(t *object.Table, o object.Ref) bool {
	var labelled func(t *object.Table, o object.Ref) bool
	if in.label != "" {
		labelled = hasLabel(t, in.label, in.value)
	}
	if len(in.namespaces) == 0 {
		return labelled
	}
	namespace := t.Sym(in.namespaces[in.part])
	return func(t *object.Table, o object.Ref) bool {
		return t.Meta(o).Namespace == namespace && (labelled == nil || labelled(t, o))
	}
}

// partsOf returns the numbers of the informers that a line with namespaces has made, by that line's name; nil where there is
// no such line.
func (r *Runner) partsOf(name string) (parts []int) {
	for i := range r.cfg.Informers {
		if c := &r.cfg.Informers[i]; c.Parts > 0 && c.Name == c.Table.Text(c.Namespace)+"/"+name {
			parts = append(parts, i)
		}
	}
	return parts
}

// partsNamed returns the numbers of the informers that a handler or a controller is for: those that partsOf returns, or the
// one of that name. Without a name it is the first one, with those that its line has made.
func (r *Runner) partsNamed(w syntax.Word, line int) (parts []int, err error) {
	if w.Text == "" && len(r.cfg.Informers) > 0 {
		for i := range max(1, r.cfg.Informers[0].Parts) {
			parts = append(parts, i)
		}
		return parts, nil
	}
	if parts = r.partsOf(w.Text); parts != nil {
		return parts, nil
	}
	i, err := r.informerNamed(w, line)
	return []int{i}, err
}

// partOf returns the informer of a namespace, of those that informer i is one of; i where there is none.
func (r *Runner) partOf(i int, namespace string) int {
	c := &r.cfg.Informers[i]
	for j := i - c.Part; j < i-c.Part+c.Parts; j++ {
		if p := &r.cfg.Informers[j]; p.Table.Text(p.Namespace) == namespace {
			return j
		}
	}
	return i
}

// cacheValue returns what controller-runtime's cache of several namespaces answers: List has the objects of all of them,
// Get looks in the cache of the key's namespace alone, and WaitForCacheSync waits for all. There, List and Get wait until
// what they look at has synced; here, they say what it has. It reports false for what is asked of an informer.
func (r *Runner) cacheValue(parts []int, q syntax.Question) (string, bool) {
	switch q.Subject {
	case syntax.SubjectStore:
		var all []object.Ref
		for _, i := range parts {
			all = append(all, r.w.Informers[i].Indexer.List(nil)...)
		}
		return objects(r.cfg.Informers[parts[0]].Table, all), true
	case syntax.SubjectGet:
		namespace, _, _ := strings.Cut(q.Args[0].Text, "/")
		i := r.partOf(parts[0], namespace)
		if x := r.w.Informers[i]; x.Config().Table.Text(x.Config().Namespace) == namespace {
			v, _ := r.getValue(x, q.Args)
			return v, true
		}
		return "unable to get: " + q.Args[0].Text + " because of unknown namespace for the cache", true
	case syntax.SubjectSynced:
		synced := true
		for _, i := range parts {
			synced = synced && r.w.Informers[i].HasSynced()
		}
		return strconv.FormatBool(synced), true
	}
	return "", false
}
