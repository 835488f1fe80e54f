package script

import (
	"errors"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/world"
)

func parseProfile(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(fault.Plain("aProfile"))
	if err != nil {
		return nil, err
	}
	profile, ok := world.ProfileFor(w.Text)
	if !ok {
		first, last := world.VersionsKnown()
		return nil, p.Fail(w, fault.New("noProfile name profiles first last", strconv.Quote(w.Text), strings.Join(world.ProfileNames(), ", "), first, last))
	}
	return func(r *Runner) error {
		r.profile = profile
		if played, newer := world.Newer(w.Text); newer {
			r.emit(Entry{Kind: Value, Text: "client-go " + w.Text + " is newer than what is known; it is played as " + played})
		}
		return nil
	}, p.Done()
}

func parseGate(p *syntax.Parser) (func(*Runner) error, error) {
	name, err := p.Next(fault.Plain("aGate"))
	if err != nil {
		return nil, err
	}
	if _, ok := world.Current.WithGate(name.Text, true); !ok {
		return nil, p.Fail(name, fault.Unknown("noGate name", name.Text, informer.GateNames()))
	}
	w, err := p.Next(fault.Plain("onOff"))
	if err != nil {
		return nil, err
	}
	if w.Text != "on" && w.Text != "off" {
		return nil, p.Fail(w, syntax.Invalid(w.Text, syntax.OnOrOff))
	}
	return func(r *Runner) error {
		r.profile, _ = r.profile.WithGate(name.Text, w.Text == "on")
		return nil
	}, p.Done()
}

func parseSeed(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Next(syntax.ANumber)
	if err != nil {
		return nil, err
	}
	n, ok := syntax.Number(w, 1<<62)
	if !ok {
		return nil, p.Fail(w, syntax.WantsNumber(w.Text))
	}
	return func(r *Runner) error { r.cfg.Seed = uint64(n); return nil }, p.Done()
}

var serverOptions = []syntax.Option[apiserver.SimConfig]{
	{Name: "classic", Read: func(c *apiserver.SimConfig, _ syntax.Word) error { c.Classic = true; return nil }},
	{Name: "uncached", Read: func(c *apiserver.SimConfig, _ syntax.Word) error { c.Uncached = true; return nil }},
	{Name: "nobookmarks", Read: func(c *apiserver.SimConfig, _ syntax.Word) error { c.NoBookmarks = true; return nil }},
	{Name: "shards", Read: readSharding},
	{Name: "revision", Read: func(c *apiserver.SimConfig, v syntax.Word) error { return syntax.ReadNumber(&c.Revision, v, 1<<40) }},
	{Name: "buffer", Read: func(c *apiserver.SimConfig, v syntax.Word) error {
		var n int64
		err := syntax.ReadNumber(&n, v, 1<<20)
		c.Buffer = int(n)
		return err
	}},
	{Name: "compact", Read: func(c *apiserver.SimConfig, v syntax.Word) error { return syntax.ReadTime(&c.CompactEvery, v) }},
}

func parseServer(p *syntax.Parser) (func(*Runner) error, error) {
	var cfg apiserver.SimConfig
	err := syntax.ReadOptions(p, &cfg, serverOptions)
	return func(r *Runner) error {
		if r.recorded != nil {
			return syntax.ErrorAt(p.Line, 1, fault.Plain("ownServer"))
		}
		r.server = cfg
		return nil
	}, err
}

var informerOptions = []syntax.Option[informerLine]{
	{Name: "resync", Read: func(in *informerLine, v syntax.Word) error { return syntax.ReadTime(&in.resync, v) }},
	{Name: "index", Read: func(in *informerLine, v syntax.Word) error {
		in.indexers = append(in.indexers, strings.Split(v.Text, ",")...)
		return nil
	}},
	{Name: "key", Read: func(in *informerLine, v syntax.Word) error { in.separator = v.Text; return nil }},
	{Name: "selector", Read: func(in *informerLine, v syntax.Word) error { return syntax.ReadLabel(&in.label, &in.value, v) }},
	{Name: "shard", Read: func(in *informerLine, v syntax.Word) (wrong error) {
		in.shard, wrong = syntax.ReadShard(v.Text)
		return wrong
	}},
	{Name: "namespaces", Read: readNamespaces},
	{Name: "detector", Read: func(in *informerLine, _ syntax.Word) error { in.detector = true; return nil }},
	{Name: "processor", Read: func(in *informerLine, _ syntax.Word) error { in.processor = true; return nil }},
	{Name: "factory", Read: func(in *informerLine, _ syntax.Word) error { in.factory = true; return nil }},
	{Name: "quota", Read: func(in *informerLine, v syntax.Word) error { return syntax.ReadNumber(&in.quota, v, 1<<20) }},
	{Name: "pages", Read: func(in *informerLine, v syntax.Word) error { return syntax.ReadNumber(&in.pages, v, 1<<20) }},
	{Name: "workers", Read: func(in *informerLine, v syntax.Word) error { return syntax.ReadNumber(&in.workers, v, 16) }},
	{Name: "work", Read: func(in *informerLine, v syntax.Word) error { return syntax.ReadTime(&in.work, v) }},
	{Name: "fails", Read: func(in *informerLine, v syntax.Word) error { return syntax.ReadNumber(&in.fails, v, 1000) }},
	{Name: "writes", Read: func(in *informerLine, v syntax.Word) error { return syntax.ReadLabel(&in.sets, &in.to, v) }},
	{Name: "untransformable", Read: func(in *informerLine, v syntax.Word) error {
		if v.Text == "tombstones" {
			in.refusesTombstones = true
			return nil
		}
		if syntax.ReadLabel(&in.refused, &in.refusedAs, v) != nil {
			return syntax.Invalid(v.Text, syntax.OneOf([]string{"LABEL=VALUE", "tombstones"}))
		}
		return nil
	}},
	{Name: "unindexable", Read: func(in *informerLine, v syntax.Word) error { return syntax.ReadLabel(&in.unfiled, &in.unfiledAs, v) }},
}

func parseInformer(p *syntax.Parser) (func(*Runner) error, error) {
	w, err := p.Name(syntax.AName)
	if err != nil {
		return nil, err
	}
	in := informerLine{name: w.Text, workers: 1, work: 3 * syntax.Millisecond}
	err = syntax.ReadOptions(p, &in, informerOptions)
	in.plain = len(p.Words) == 3
	if err == nil && len(in.namespaces) > 0 && (in.factory || in.separator != "") {
		err = p.Fail(w, fault.Plain("namespacesAlone"))
	}
	return func(r *Runner) error { return r.addInformers(in, p.Line, w.Col) }, err
}

// informerLine is a parsed informer line.
type informerLine struct {
	detector       bool
	processor      bool // its sharedProcessor.run is an actor of its own
	factory        bool // a factory is asked for it
	plain          bool // the line says nothing else of the informer
	name           string
	resync, work   int64
	workers, fails int64
	pages          int64 // WatchListPageSize, 0 for the usual
	indexers       []string
	separator      string
	label, value   string   // of the selector
	namespaces     []string // of the informers that the line makes; none for one of all namespaces
	part           int      // which of them this is
	shard          object.Shard
	sets, to       string // the label that a reconcile writes back

	refused, refusedAs string // the label of objects for which the TransformFunc fails
	refusesTombstones  bool   // it fails for tombstones, too
	quota              int64
	unfiled, unfiledAs string // the label of objects for which the last IndexFunc fails
}

const maxInformers = 16

func (r *Runner) addInformer(in informerLine, line, col int) error {
	if in.factory {
		if there, err := r.ofFactory(in, line, col); there || err != nil {
			return err
		}
	}
	if len(r.cfg.Informers) == maxInformers {
		return syntax.ErrorAt(line, col, fault.Plain("manyInformers"))
	}
	if r.cfg.Replicas > 0 {
		return syntax.ErrorAt(line, col, fault.Plain("replicasLast"))
	}
	if r.recorded != nil {
		return r.addRecorded(in, line, col)
	}
	var t *object.Table
	var versions *apiserver.Versions
	for i := range r.cfg.Informers {
		if c := &r.cfg.Informers[i]; resource(c.Name) == resource(in.name) { // another informer of the same resource
			t, versions = c.Table, c.Server.(*apiserver.Simulated).Config().Versions
		}
	}
	if t == nil {
		t = r.newTable(in.separator)
		versions = apiserver.NewVersions(t)
	}
	server := r.server
	server.Table, server.Versions, server.Seed = t, versions, r.cfg.Seed+uint64(len(r.cfg.Informers))
	server.Quota = in.quota
	server.Selects = in.selects(t)
	return r.configure(informer.Config{Table: t, Server: apiserver.NewSimulated(&server)}, in, line, col)
}

// newTable returns the Table of the objects of a resource that no informer has yet. All resources
// share one, so that the key of an object's owner means the same everywhere. Only a
// resource with keys of its own has its own.
func (r *Runner) newTable(separator string) *object.Table {
	if separator != "" {
		return object.NewTable(func(t *object.Table, m object.Meta) (string, bool) {
			return t.Text(m.Namespace) + separator + t.Text(m.Name), m.Name != 0
		})
	}
	if r.shared == nil {
		r.shared = object.NewTable(nil)
	}
	return r.shared
}

// ofFactory asks a SharedInformerFactory for an informer: it is there already if the
// factory was asked before.
func (r *Runner) ofFactory(in informerLine, line, col int) (there bool, err error) {
	for i := range r.cfg.Informers {
		if c := &r.cfg.Informers[i]; !c.Factory || c.Name != in.name {
			continue
		}
		if !in.plain {
			return true, syntax.ErrorAt(line, col, fault.Plain("madeAlready"))
		}
		r.emit(Entry{Kind: Value, Text: "the same informer"})
		return true, nil
	}
	r.emit(Entry{Kind: Value, Text: "a new informer"})
	return false, nil
}

// resource returns the resource of an informer's name.
func resource(name string) string {
	name, group, _ := Resource(name)
	if group == "" {
		return name
	}
	return name + "." + group
}

// Resource returns what an informer's name says of its resource. The version of the API may be in it, as kubectl takes it:
// deployments.v1beta1.apps are deployments.apps.
func Resource(informer string) (name, group, version string) {
	informer = informer[strings.LastIndexByte(informer, '/')+1:] // without the process and the namespace
	name, group, _ = strings.Cut(informer, ".")
	if head, rest, _ := strings.Cut(group, "."); isVersion(head) {
		return name, rest, head
	}
	return name, group, ""
}

// isVersion reports whether a text is the version of an API: v1, v2beta1 or v1alpha3.
func isVersion(s string) bool {
	s, ok := strings.CutPrefix(s, "v")
	major := strings.TrimLeft(s, "0123456789")
	if !ok || major == s {
		return false
	}
	for _, stage := range []string{"alpha", "beta"} {
		if minor, ok := strings.CutPrefix(major, stage); ok {
			major = strings.TrimLeft(minor, "0123456789")
		}
	}
	return major == ""
}

// Recorded makes the informers of the lines that follow play recordings. Find
// returns the recording of a resource, by the name of an informer.
func (r *Runner) Recorded(find func(resource string) (*object.Table, apiserver.Feed, bool)) {
	r.recorded = find
}

// addRecorded adds an informer whose API server is a recording.
func (r *Runner) addRecorded(in informerLine, line, col int) error {
	for i := range r.cfg.Informers {
		if r.cfg.Informers[i].Name == in.name {
			return syntax.ErrorAt(line, col, fault.Plain("twoRecorded"))
		}
	}
	t, feed, ok := r.recorded(in.name)
	switch {
	case !ok:
		return syntax.ErrorAt(line, col, fault.Quoted("noRecorded name", in.name))
	case in.separator != "" || in.label != "" || len(in.namespaces) > 0 || !in.shard.Empty():
		return syntax.ErrorAt(line, col, fault.Plain("ownKeys"))
	}
	return r.configure(informer.Config{Table: t, Feed: feed}, in, line, col)
}

func (r *Runner) configure(c informer.Config, in informerLine, line, col int) error {
	t := c.Table
	c.Name, c.Profile, c.Resync, c.Shard = in.name, r.profile, in.resync, in.shard
	if c.Parts = len(in.namespaces); c.Parts > 0 {
		c.Part, c.Namespace = in.part, t.Sym(in.namespaces[in.part])
	}
	c.Indexers = []indexer.Named{{Name: indexer.NamespaceIndex, Func: indexer.MetaNamespaceIndexFunc}}
	c.Workers, c.WorkTime, c.DetectMutations, c.Factory, c.StartsApart = int(in.workers), in.work, in.detector, in.factory, in.processor
	c.Profile.Reflector.PageSize = in.pages
	if !in.shard.Empty() && !c.Profile.Sharded {
		r.emit(Entry{Kind: Value, Text: "client-go " + c.Profile.Release() + " has no SetShardSelector: the informer gets all objects"})
	}
	for _, name := range in.indexers {
		if name == "" || name == indexer.NamespaceIndex {
			continue
		}
		for _, other := range c.Indexers {
			if other.Name == name {
				return syntax.ErrorAt(line, col, fault.Quoted("indexTwice name", name))
			}
		}
		c.Indexers = append(c.Indexers, indexer.Named{Name: name, Func: indexer.LabelIndexFunc(t.Sym(name))})
	}
	if in.refused != "" || in.refusesTombstones {
		if !r.profile.RunsOnce {
			return syntax.ErrorAt(line, col, fault.Plain("noTransform"))
		}
		has := hasLabel(t, in.refused, in.refusedAs)
		c.Transform = func(t *object.Table, o object.Ref) (object.Ref, error) {
			switch tombstone := t.IsTombstone(o); {
			case tombstone && in.refusesTombstones, !tombstone && in.refused != "" && has(t, o):
				return 0, errUnreadable
			}
			return o, nil
		}
	}
	if in.unfiled != "" {
		has, file := hasLabel(t, in.unfiled, in.unfiledAs), c.Indexers[len(c.Indexers)-1].Func
		c.Indexers[len(c.Indexers)-1].Func = func(t *object.Table, o object.Ref, dst []object.Sym) ([]object.Sym, error) {
			if has(t, o) {
				return nil, errUnreadable
			}
			return file(t, o, dst)
		}
	}
	if fails := int(in.fails); fails > 0 {
		c.WorkFails = func(_ object.Key, failures int) bool { return failures < fails }
	}
	if in.sets != "" {
		c.WritesBack = writesLabel(t.Sym(in.sets), t.Sym(in.to))
	}
	r.cfg.Informers = append(r.cfg.Informers, c)
	r.calls = append(r.calls, nil)
	return nil
}

// errUnreadable is what a function of the user returns for an object that it can't
// read.
var errUnreadable = errors.New("can't read the object")

func hasLabel(t *object.Table, name, value string) func(t *object.Table, o object.Ref) bool {
	label, is := t.Sym(name), t.Sym(value)
	return func(t *object.Table, o object.Ref) bool {
		v, ok := t.LabelValue(t.LabelSetOf(o), label)
		return ok && v == is
	}
}

// writesLabel returns a controller that sets a label on every object.
func writesLabel(name, value object.Sym) func(t *object.Table, read object.Ref) (object.Meta, bool) {
	return func(t *object.Table, read object.Ref) (object.Meta, bool) {
		m := t.Meta(read)
		if v, ok := t.LabelValue(m.Labels, name); ok && v == value {
			return m, false
		}
		var labels []string
		for _, l := range t.LabelsOf(m.Labels) {
			labels = append(labels, t.Text(l.Name), t.Text(l.Value))
		}
		m.Labels = labelSet(t, append(labels, t.Text(name), t.Text(value)))
		return m, true
	}
}

const maxHandlers = 32

// addHandler adds a handler. While the machine is set up, it becomes a part of it.
func (r *Runner) addHandler(m *syntax.Parsed) error {
	parts, err := r.partsNamed(m.Informer, m.Line)
	if err != nil {
		return err
	}
	if len(parts) > 1 && m.Command.Handler.Workqueue {
		return syntax.ErrorAt(m.Line, m.Name.Col, fault.Plain("namespacesQueue"))
	}
	for _, i := range parts {
		name := m.Name.Text
		if len(parts) > 1 {
			name = r.cfg.Informers[i].Table.Text(r.cfg.Informers[i].Namespace) + "/" + name
		}
		if err := r.addHandlerTo(i, m, name); err != nil {
			return err
		}
	}
	return nil
}

// addHandlerTo adds the handler of a line to one informer.
func (r *Runner) addHandlerTo(i int, m *syntax.Parsed, name string) error {
	h := m.Command.Handler
	h.Name = name
	if err := r.nameHandler(i, name, m.Line, m.Name.Col); err != nil {
		return err
	}
	if h.Resync < 0 {
		h.Resync = r.config(i).Resync
	}
	if r.h == nil {
		r.cfg.Informers[i].Handlers = append(r.cfg.Informers[i].Handlers, h)
		return nil
	}
	r.playCommand(world.Command{Kind: world.AddHandler, Informer: i, Handler: h})
	return nil
}

// nameHandler makes room for the calls of a handler that is to be added to informer i. The error is at a line and a column.
func (r *Runner) nameHandler(i int, name string, line, col int) error {
	if _, _, err := r.handler(name); err == nil {
		return syntax.ErrorAt(line, col, fault.Quoted("handlerTwice name", name))
	}
	if len(r.calls[i]) == maxHandlers {
		return syntax.ErrorAt(line, col, fault.Plain("manyHandlers"))
	}
	r.calls[i] = append(r.calls[i], handlerCalls{})
	return nil
}

// informerNamed returns the number of an informer: the first if w is empty.
func (r *Runner) informerNamed(w syntax.Word, line int) (int, error) {
	if len(r.cfg.Informers) == 0 {
		return 0, syntax.ErrorAt(line, max(1, w.Col), fault.Plain("noInformerYet"))
	}
	if w.Text == "" {
		return 0, nil
	}
	var names []string
	for i := range r.cfg.Informers {
		if r.cfg.Informers[i].Name == w.Text {
			return i, nil
		}
		names = append(names, r.cfg.Informers[i].Name)
	}
	return 0, syntax.ErrorAt(line, w.Col, fault.Unknown("noInformer name", w.Text, names))
}

// config returns the present configuration of informer i, with the handlers that
// were added later.
func (r *Runner) config(i int) *informer.Config {
	if r.h != nil {
		return r.w.Informers[i].Config()
	}
	return &r.cfg.Informers[i]
}

func (r *Runner) handler(name string) (in, listener int, err error) {
	var names []string
	for i := range r.cfg.Informers {
		for j, h := range r.config(i).Handlers {
			if h.Name == name {
				return i, j, nil
			}
			names = append(names, h.Name)
		}
	}
	return 0, 0, fault.Unknown("noHandler name", name, names)
}

func (r *Runner) begin(line int) error {
	if r.h != nil {
		return nil
	}
	if len(r.cfg.Informers) == 0 {
		return syntax.ErrorAt(line, 1, fault.Plain("noInformerYet"))
	}
	h, err := history.New(&r.cfg, nil)
	if err != nil {
		return syntax.ErrorAt(line, 1, err)
	}
	r.h, r.w = h, h.Front()
	return nil
}

// parseRemoveIndex says why no line removes an index.
func parseRemoveIndex(p *syntax.Parser) (func(*Runner) error, error) {
	return nil, p.Fail(p.Words[1], fault.Plain("removeIndex"))
}
