package stage

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// Draw returns the stage.
func (st *Stage) Draw() *tree.Node {
	f := st.Frame
	tag, wires, chain := "main", wires(!st.Second), chainLine()
	if st.Second {
		tag, chain = "section", nil
	}
	subjects := st.subjects()
	var stations []*tree.Node
	if len(subjects) > 0 {
		stations = st.taught(subjects)
	} else {
		stations = []*tree.Node{st.informers(), st.server(), st.wire(), st.reflector(), st.queue(), st.loop(), st.store(), st.processor(), st.work()}
	}
	s := tree.El(tag, "stage", wires, chain).Add(stations...).Add(st.printed()).Attr("aria-label", st.Words.T("ui.stage"))
	if len(subjects) > 0 {
		s.Attr("data-taught", strconv.Itoa(len(subjects)))
	}
	s.Attr("data-watch", f.Wire.State)
	s.Attr("data-aside", strings.Join(f.Aside, " "))
	s.Flag("data-writes", f.Work.Writes)
	s.Flag("data-simulated", f.Server.Simulated)
	s.Flag("data-controller", f.Work.Controller != nil)
	s.Flag("data-several", len(f.Process.Informers) > 0)
	s.Attr("data-now", atWork(f))
	s.Attr("data-chain", st.Chain)
	if st.Cut {
		s.Attr("data-cut", "true")
	}
	if blocked(f, link.ActorReflector, link.ActorResync) {
		s.Attr("data-blocked", "enqueue")
	} else if blocked(f, link.ActorLoop) {
		s.Attr("data-blocked", "pop")
	}
	return s.Add(st.Curtain)
}

// Motion returns how the change to a frame is shown, which takes some milliseconds. Lit is
// whether what the step has touched lights up.
func Motion(f *link.Frame, millis int, lit bool) *tree.Motion {
	out := &tree.Motion{Millis: millis, Back: f.Dir < 0}
	if lit {
		out.Lit = f.Lit
	}
	if millis == 0 {
		return out
	}
	for _, v := range f.Moves {
		out.Moves = append(out.Moves, tree.Move{Letter: letter(v.Chip), Key: v.Chip.Key, Label: label(v.Chip), From: v.From, To: v.To, How: string(v.How)})
	}
	return out
}
