package stage

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// subjects returns the stations that a lesson is about and that its scene has a use for. It returns nil where all stations
// have the same weight.
func (st *Stage) subjects() []string {
	if !st.Alone || st.Second {
		return nil
	}
	if st.Source {
		return st.touched()
	}
	used := slices.DeleteFunc(slices.Clone(st.Lesson), func(name string) bool { return slices.Contains(st.Frame.Aside, name) })
	if len(used) == 0 {
		return st.Lesson
	}
	return used
}

// touched returns the stations that the step is about: where its goroutine works, and between which it moved something. The source
// of the step leaves room for these. A reflector stands beside the server, and a process loop beside its queue, so that there is
// always something to see.
func (st *Stage) touched() []string {
	f := st.Frame
	at := []string{cmp.Or(atWork(f), link.StationServer)}
	for _, m := range f.Moves {
		at = append(at, link.StationOf(m.From), link.StationOf(m.To))
	}
	for _, place := range f.Lit {
		at = append(at, link.StationOf(place))
	}
	all := slices.DeleteFunc(slices.Clone(link.Stations), func(name string) bool { return !slices.Contains(at, name) })
	if len(all) > 1 {
		return all
	}
	switch all[0] {
	case link.StationServer, link.StationReflector:
		return []string{link.StationServer, link.StationReflector}
	case link.StationLoop:
		return []string{link.StationQueue, link.StationLoop}
	}
	return all
}

// taught returns what fills the stage of a lesson: its subjects, below a map of the loop.
func (st *Stage) taught(subjects []string) []*tree.Node {
	draw := map[string]func() *tree.Node{
		link.StationServer: st.server, link.StationReflector: st.reflector, link.StationQueue: st.queue, link.StationLoop: st.loop,
		link.StationStore: st.store, link.StationProcessor: st.processor, link.StationWork: st.work,
	}
	subject := tree.El("div", "taught")
	for _, name := range link.Stations {
		switch {
		case !slices.Contains(subjects, name):
		case name == link.StationServer && wired(subjects):
			subject.Add(tree.El("div", "sender", st.server(), st.wire()).Key(name))
		default:
			subject.Add(draw[name]().Key(name))
		}
	}
	var m *tree.Node
	if len(subjects) < len(link.Stations) {
		m = st.loopMap(subjects)
	}
	return []*tree.Node{st.informers(), m, subject}
}

// wired reports whether the connection is a part of what a lesson is about.
func wired(subjects []string) bool {
	return slices.Contains(subjects, link.StationServer) && slices.Contains(subjects, link.StationReflector)
}

// loopMap returns the loop in small: the stations of the lesson by their names, and each other one with how much waits or lies there.
func (st *Stage) loopMap(subjects []string) *tree.Node {
	f := st.Frame
	has := map[string]int{link.StationQueue: f.Queue.Depth, link.StationStore: f.Store.Objects, link.StationWork: f.Work.Queued}
	n := tree.El("ol", "loop-map").Attr("aria-label", st.Words.T("ui.loopMap")).Key("map")
	for _, name := range link.Stations {
		title := st.Words.T("ui.station." + name)
		if name == link.StationQueue {
			title = f.Queue.Kind
		}
		class := "subject"
		if !slices.Contains(subjects, name) {
			class = st.classOf(name) + " mapped"
		}
		item := tree.El("li", class, tree.Text("b", "", title)).Key(name)
		if class != "subject" {
			item.Attr("data-station", name).Place(name)
			if k := has[name]; k > 0 {
				item.Add(tree.Text("span", "", words.Grouped(k)))
			}
			if st.Room {
				item.Act("spot", name)
			}
		}
		n.Add(item)
		if name == link.StationServer && !wired(subjects) {
			n.Add(tree.El("li", "on-map", st.wire()).Key("wire"))
		}
	}
	return n
}
