package session

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// browser is a browser's history: the numbers of its entries, and which one is shown.
type browser struct {
	entries []int
	at      int
}

// history does to b what the commands since the last call say. It tells the model of each
// entry that is shown, as a browser does.
func (g *game) history(b *browser) {
	cmds := g.cmds
	g.cmds = nil
	for _, c := range cmds {
		switch c := c.(type) {
		case navigation.Push:
			if c.Instead {
				b.entries[b.at] = c.Place
				continue
			}
			b.entries = append(b.entries[:b.at+1], c.Place)
			b.at++
		case navigation.Traverse:
			g.browse(b, c.Delta)
		}
	}
}

func (g *game) browse(b *browser, by int) {
	if to := b.at + by; to >= 0 && to < len(b.entries) {
		b.at = to
		g.play(navigation.Returned{Place: b.entries[to]})
	}
}

// jump seeks a step and gets there.
func (g *game) jump(b *browser, step string, to int64) {
	g.t.Helper()
	g.play(Acted{"seek", step, ""})
	answer[link.Seek](g, to)
	g.history(b)
}

func (g *game) walk(steps int) {
	for range steps {
		g.play(Pressed{Key: "ArrowRight"})
		answer[link.Step](g, g.m.Stage.Frame.Step+1)
	}
}

func TestBackAndForwardGoBetweenPlaces(t *testing.T) {
	g, b := opened(t), &browser{entries: []int{0}}
	g.walk(5)
	g.history(b)
	if len(b.entries) != 1 || g.m.Nav.PreviousStep() != -1 {
		t.Fatalf("single steps made the entries %v, and Back leads to %d", b.entries, g.m.Nav.PreviousStep())
	}
	g.jump(b, "40", 40)
	g.walk(2)
	g.jump(b, "80", 80)
	g.jump(b, "81", 81) // the next step is no jump
	if len(b.entries) != 3 || g.m.Nav.PreviousStep() != 42 || g.m.Nav.ForwardTo() != -1 {
		t.Fatalf("the entries are %v, Back leads to %d, Forward to %d", b.entries, g.m.Nav.PreviousStep(), g.m.Nav.ForwardTo())
	}
	g.play(Pressed{Key: "Backspace"})
	g.history(b)
	if r := last[link.Seek](g); r.Step != 42 {
		t.Fatalf("Back asks for %+v", r)
	}
	answer[link.Seek](g, 42)
	g.browse(b, -1) // the browser's own button
	if r := last[link.Seek](g); r.Step != 5 || g.m.Nav.ForwardTo() != 42 {
		t.Fatalf("Back asks for %+v, and Forward leads to %d", r, g.m.Nav.ForwardTo())
	}
	answer[link.Seek](g, 5)
	g.play(Pressed{Key: "Backspace", Shift: true})
	g.history(b)
	answer[link.Seek](g, 42)
	g.play(Pressed{Key: "Backspace", Shift: true})
	g.history(b)
	if r := last[link.Seek](g); r.Step != 81 {
		t.Fatalf("Forward asks for %+v", r)
	}
	answer[link.Seek](g, 81)
	if g.play(Pressed{Key: "Backspace", Shift: true}); len(g.cmds) != 0 && g.m.Nav.ForwardTo() != -1 {
		t.Error("there is a place after the last one")
	}
}

// However far the timeline is dragged, and however many jumps are made while none is
// answered, the browser's history grows by one entry.
func TestDraggingIsOneJump(t *testing.T) {
	g, b := opened(t), &browser{entries: []int{0}}
	for i := range 50 {
		g.play(Scrubbed{float64(i) / 100, true})
		answer[link.Seek](g, int64(i))
	}
	g.play(Scrubbed{0.5, false})
	answer[link.Seek](g, 50)
	g.history(b)
	if len(b.entries) != 2 || g.m.Nav.PreviousStep() != 0 {
		t.Fatalf("the entries are %v, Back leads to %d", b.entries, g.m.Nav.PreviousStep())
	}
	g.play(Pressed{Key: "3"}, Pressed{Key: "4"}, Pressed{Key: "Home"})
	answer[link.Seek](g, 30)
	answer[link.Seek](g, 0)
	g.history(b)
	if len(b.entries) != 3 || g.m.Nav.PreviousStep() != 50 {
		t.Errorf("the entries are %v, Back leads to %d", b.entries, g.m.Nav.PreviousStep())
	}
}

// Places in another future are shown there.
func TestBackGoesToTheOtherFuture(t *testing.T) {
	g, b := opened(t), &browser{entries: []int{0}}
	lanes := func(shown int) Replied {
		return Replied{&link.Reply{News: &link.Lanes{Shown: shown, List: []link.Lane{{Parent: -1}, {ID: 1}}}}}
	}
	g.play(lanes(0))
	g.jump(b, "70", 70)
	g.play(lanes(1))
	g.jump(b, "20", 20)
	g.browse(b, -1)
	if r := last[link.Seek](g); r.Step != 70 {
		t.Errorf("in the same future it asks for %+v", r)
	}
	answer[link.Seek](g, 70)
	g.browse(b, -1)
	if r := last[link.VisitLane](g); r.Lane != 0 || r.Step != 0 {
		t.Errorf("it asks for %+v", r)
	}
	answer[link.VisitLane](g, 0)
}

// Whatever the viewer does, an entry of the browser's history stands for the place that
// it was made for, in what was open then.
func TestPlacesAgreeWithTheBrowser(t *testing.T) {
	const seed = 604
	r := rand.New(rand.NewPCG(seed, 1))
	g, b := opened(t), &browser{entries: []int{0}}
	g.history(b)
	type spot struct {
		name string
		step int64
	}
	at := map[int]spot{} // what the viewer has left at each entry
	files, again := 0, 0
	for range 4000 {
		here := b.entries[b.at]
		before := spot{g.m.Open.Source.Name, g.m.Stage.Frame.Step}
		switch r.IntN(8) {
		case 0, 1:
			g.walk(r.IntN(3))
		case 2, 3:
			to := r.Int64N(100)
			g.jump(b, strconv.FormatInt(to, 10), to)
			if b.entries[b.at] != here {
				at[here] = before
			}
		case 7:
			if r.IntN(20) > 0 {
				continue
			}
			files++
			g.play(Chose{Name: strconv.Itoa(files)})
			g.reopen()
			g.history(b)
			at[here] = before
		default:
			opens, seeks := count[link.Open](g), count[link.Seek](g)
			g.browse(b, 1-2*r.IntN(2))
			now := b.entries[b.at]
			if now == here {
				continue
			}
			at[here] = before
			want := at[now]
			if count[link.Open](g) > opens {
				again++
				if q := last[link.Open](g); q.Name != want.name {
					t.Fatalf("seed %d: entry %d opens %q, and the viewer has left %q there", seed, now, q.Name, want.name)
				}
				g.reopen()
			}
			switch {
			case count[link.Seek](g) > seeks:
				if got := last[link.Seek](g).Step; got != want.step {
					t.Fatalf("seed %d: entry %d shows step %d, and the viewer left it at %d", seed, now, got, want.step)
				}
				answer[link.Seek](g, want.step)
			case want.step > 0 && files < navigation.MaxVisits && b.entries[len(b.entries)-1]-now < navigation.MaxPlaces-1: // all of these are remembered
				t.Fatalf("seed %d: entry %d is not known", seed, now)
			}
			g.history(b)
		}
	}
	if places, visits := g.m.Nav.Size(); places > navigation.MaxPlaces || visits > navigation.MaxVisits || again == 0 {
		t.Errorf("seed %d: %d places, %d visits, and %d times back to something else", seed, places, visits, again)
	}
}

// From mark to mark it is one jump, so holding the key doesn't fill the browser's history.
func TestMarksAreOneJump(t *testing.T) {
	g, b := opened(t), &browser{entries: []int{0}}
	g.walk(3)
	for step := int64(20); step < 60; step += 10 {
		g.play(Pressed{Key: "m"})
		answer[link.SeekMark](g, step)
	}
	g.history(b)
	if len(b.entries) != 2 || g.m.Nav.PreviousStep() != 3 {
		t.Errorf("the entries are %v, Back leads to %d", b.entries, g.m.Nav.PreviousStep())
	}
	g.walk(1)
	g.play(Pressed{Key: "m"})
	answer[link.SeekMark](g, 70)
	g.history(b)
	if len(b.entries) != 3 || g.m.Nav.PreviousStep() != 51 {
		t.Errorf("the entries are %v, Back leads to %d", b.entries, g.m.Nav.PreviousStep())
	}
}
