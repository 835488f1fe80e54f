package host

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/session"
)

// seen returns what the loop shows: the headline and the shelves with what stands between them, then what is under way.
func (r *reader) seen() (parts, leg string) {
	text := func(class string) string {
		n := r.find(class, "", "")
		if n == nil {
			return ""
		}
		return n.TextContent()
	}
	shelf := func(class string) (all []string) {
		r.find(class, "", "").Find(func(n *tree.Node) bool {
			if n.HasClass("shelf-row") {
				s := n.TextContent()
				if _, is := n.Value("data-wrong"); is {
					s = "[" + s + "]"
				}
				all = append(all, s)
			}
			return false
		})
		return all
	}
	var cells []string
	r.find("part-code", "", "").Find(func(n *tree.Node) bool {
		if n.HasClass("cell-of") {
			if _, busy := n.Value("data-busy"); busy {
				cells = append(cells, n.TextContent())
			}
		}
		return false
	})
	parts = fmt.Sprintf("%s\n  cluster %s, cache %s\n  watcher %s, queue %s%s", text("loop-says"), strings.Join(shelf("part-cluster"), " "), strings.Join(shelf("part-cache"), " "),
		strings.Split(text("part-watcher"), "Reflector")[1], strings.Split(text("part-queue"), "FIFO")[1], strings.Join(append([]string{""}, cells...), ", "))
	l := r.model.Loop.Leg
	if l.Millis > 0 {
		leg = fmt.Sprintf("%s -> %s: %s", l.From, l.To, text("traveller"))
	}
	return parts, leg
}

// playOn plays until the loop waits for the viewer, and returns what was seen on the way. A thing is drawn where it was until
// it has arrived: while something is on a leg that has no time in the machine, nothing else of the picture changes.
func (r *reader) playOn(act string) string {
	r.t.Helper()
	var b strings.Builder
	r.waiting = append(r.waiting, session.Acted{Act: act})
	was, on := "", ""
	for range 20_000 {
		r.unseen = enough - 1 // one tick at a time
		r.play()
		m := &r.model.Loop
		parts, leg := r.seen()
		if leg != on && leg != "" {
			fmt.Fprintf(&b, "    %s\n", leg)
		}
		if parts != was {
			still := m.Leg.Millis > 0 && m.Leg.From != "cluster" && leg == on
			if still && was != "" {
				r.t.Errorf("on the way %s this is seen:\n%s\nand then\n%s", leg, was, parts)
			}
			if !strings.Contains(parts, "tries again") || !strings.Contains(was, "tries again") {
				fmt.Fprintf(&b, "%s\n", parts)
			}
		}
		was, on = parts, leg
		if !m.Playing && !r.tick && len(r.waiting) == 0 {
			return b.String()
		}
	}
	r.t.Fatalf("the loop never waits:\n%s", b.String())
	return ""
}

// The loop tells its story: a change goes round, a deletion is late, and a cut that lasts until the server has forgotten
// costs a relist and a tombstone.
func TestTheLoopTellsItsStory(t *testing.T) {
	r := newVisit(t, "en", false)
	r.looks = true
	if r.said["data-view"] != "loop" || !r.model.Loop.Visible() {
		t.Fatalf("a first visit shows %v", r.said)
	}
	var b strings.Builder
	for _, act := range []string{"loopPlay", "loopDelete", "loopDelete", "loopBreak"} {
		fmt.Fprintf(&b, "> %s\n%s", act, r.playOn(act))
	}
	cut := &r.model.Loop.Cut
	if !cut.Finished() || cut.Key != "default/web" || cut.Listed != 3 || cut.Changed != 0 || cut.Late < 3e9 || cut.Expired == 0 || cut.Relisted < cut.Expired || cut.Tombstone < cut.Relisted {
		t.Errorf("the cut has cost %+v", cut)
	}
	const golden = "testdata/loop.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != b.String() {
		t.Errorf("%v: the loop tells\n%s", err, b.String())
	}
}
