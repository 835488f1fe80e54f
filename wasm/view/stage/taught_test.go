package stage

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// A station that a lesson names and that its scene has no use for doesn't take the room of the others, unless none is left.
func TestALessonDrawsWhatItsSceneUses(t *testing.T) {
	for _, x := range []struct {
		lesson, aside []string
		drawn         string
	}{
		{[]string{"queue", "loop", "store"}, []string{"server", "loop", "processor"}, "queue store"},
		{[]string{"queue", "loop", "store"}, []string{"work"}, "queue loop store"},
		{[]string{"work"}, []string{"work", "loop"}, "work"},
	} {
		f := &link.Frame{Aside: x.aside}
		st := Stage{
			Words: viewtest.Speaking(viewtest.Catalogue(t, "en")), Cache: widget.Cache{}, Frame: f, Lists: f, Lesson: x.lesson, Alone: true,
			Menu: func(station, title string) *tree.Node { return nil },
			Grip: func(station, name string) *tree.Node { return nil },
			Cuts: func() (says, line string) { return "", "" },
		}
		drawn := ""
		if n := st.Draw().Find(func(n *tree.Node) bool { return n.HasClass("taught") }); n != nil {
			for _, name := range link.Stations {
				if n.Find(func(n *tree.Node) bool { return n.HasClass("st-" + name) }) != nil {
					drawn += " " + name
				}
			}
			drawn = drawn[1:]
		}
		if drawn != x.drawn {
			t.Errorf("of a lesson on %v, with %v of no use, %q is drawn large, and not %q", x.lesson, x.aside, drawn, x.drawn)
		}
	}
}

// Beside the source, the stage has the stations between which the step moved something, and never an empty goroutine alone.
func TestTheSourceHasTheStationsOfItsStep(t *testing.T) {
	for _, x := range []struct {
		f    link.Frame
		want string
	}{
		{link.Frame{}, "server reflector"},
		{link.Frame{Actor: link.ActorReflector}, "server reflector"},
		{link.Frame{Actor: link.ActorReflector, Moves: []link.Move{{From: link.PlaceReflector, To: link.PlaceDelta("a", 0)}}}, "reflector queue"},
		{link.Frame{Actor: link.ActorLoop, Lit: []string{link.PlaceTile("a")}}, "loop store"},
		{link.Frame{Actor: link.ActorLoop}, "queue loop"},
		{link.Frame{Actor: link.ActorLoop, Moves: []link.Move{{From: link.PlaceTile("a"), To: link.PlaceVoid}}}, "loop store"},
		{link.Frame{Actor: link.ActorUser}, "processor"},
	} {
		st := Stage{Frame: &x.f, Alone: true, Source: true}
		if got := strings.Join(st.subjects(), " "); got != x.want {
			t.Errorf("for a step of %q with %v and %q, the stage has %q, and not %q", x.f.Actor, x.f.Moves, x.f.Lit, got, x.want)
		}
	}
}
