package stage

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// shown is a part of the stage of a frame: the first element with a class.
func shown(t *testing.T, lang string, f *link.Frame, class string) *tree.Node {
	st := Stage{
		Words: viewtest.Speaking(viewtest.Catalogue(t, lang)), Cache: widget.Cache{}, Frame: f, Lists: f,
		Menu: func(station, title string) *tree.Node { return nil },
		Grip: func(station, name string) *tree.Node { return nil },
		Cuts: func() (says, line string) { return "", "" },
	}
	return st.Draw().Find(func(n *tree.Node) bool { return n.HasClass(class) })
}

// A listener, a goroutine and a cache that have ended aren't said to come yet.
func TestNothingThatEndedIsToCome(t *testing.T) {
	f := &link.Frame{Reflector: link.Reflector{State: link.StateStopped}, Loop: link.Loop{State: link.StateCrashed}}
	for i, g := range link.EndStates {
		f.Processor.Listeners = append(f.Processor.Listeners, link.Listener{ID: i, Name: g, EndState: g, Calls: 6, Behind: 1})
	}
	f.Work.Workers = []link.Worker{{State: link.StateCrashed, Done: 3}}
	for lang, want := range map[string][]string{
		"en": {"stopped", "crashed", "stopped", "crashed", "removed", "1 · crashed · 3 done", "no objects"},
		"zh": {"已停止", "已崩溃", "已停止", "已崩溃", "已移除", "1 · 已崩溃 · 已完成 3", "没有对象"},
	} {
		stage := shown(t, lang, f, "stage")
		for i, class := range []string{"is-stopped", "is-crashed", "", "", "", "worker-text", "tiles"} {
			n := stage
			if class != "" {
				n = stage.Find(func(n *tree.Node) bool { return n.HasClass(class) })
			} else {
				says := 2
				n = stage.Find(func(n *tree.Node) bool {
					if n.HasClass("lane-says") {
						says++
					}
					return says > i
				})
			}
			if got := n.TextContent(); got != want[i] {
				t.Errorf("%s: %s is said of %q, and not %s", lang, got, class, want[i])
			}
		}
	}
}

// A resync that is under way, and each goroutine that waits for listenersLock, are told.
func TestWhoWaitsForTheListenersIsTold(t *testing.T) {
	f := &link.Frame{Actors: []link.Actor{
		{ID: link.ActorLoop, Locks: []string{link.LockListeners}},
		{ID: link.ActorResync, Waits: link.WaitsForLock, Target: link.LockListeners},
		{ID: link.ActorProcessor, Waits: link.WaitsForLock, Target: link.LockListeners},
	}}
	for lang, want := range map[string][]string{
		"en": {"process loop", "resync goroutine waits", "sharedProcessor.run waits", "now"},
		"zh": {"process loop", "resync goroutine 在等待", "sharedProcessor.run 在等待", "现在"},
	} {
		says := shown(t, lang, f, "st-processor").TextContent() + shown(t, lang, f, "st-reflector").TextContent()
		for _, w := range want {
			if !strings.Contains(says, w) {
				t.Errorf("%q doesn't say %q", says, w)
			}
		}
	}
}

// The workqueue's title names the API server where workers write, and it has room for that.
func TestTheWorkqueuesTitleHasRoom(t *testing.T) {
	f := &link.Frame{Work: link.Work{Writes: true}}
	if text := shown(t, "en", f, "st-work").TextContent(); !strings.Contains(text, "API server") {
		t.Errorf("workers write, and the workqueue says %q", text)
	}
	f.Second = &link.Frame{}
	if text := shown(t, "en", f, "st-work").TextContent(); strings.Contains(text, "API server") {
		t.Errorf("in a pair, the workqueue says %q", text)
	}
}

// A goroutine that has only begun to wait doesn't light its station.
func TestAWaitingGoroutineRests(t *testing.T) {
	for what, c := range map[string]struct {
		lit, waits string
		rests      bool
	}{"it waits": {"", "queue", true}, "it has moved something and waits": {link.PlaceLoop, "queue", false}, "it can go on": {"", "", false}} {
		f := &link.Frame{Actor: link.ActorLoop, Actors: []link.Actor{{ID: link.ActorLoop, Waits: c.waits}}}
		if c.lit != "" {
			f.Lit = []string{c.lit}
		}
		if n := shown(t, "en", f, "st-loop"); !n.HasClass("now") || n.HasClass("resting") != c.rests {
			t.Errorf("%s, and its station rests: %v", what, n.HasClass("resting"))
		}
	}
}

// Whatever room there is, each delta of a row is shown or counted.
func TestDeltasAreShownOrCounted(t *testing.T) {
	for total := 1; total <= 9; total++ {
		for whole := range total {
			var all []link.Chip
			for i := range total {
				all = append(all, link.Chip{T: link.LetterUpdated, RV: strconv.Itoa(i)})
			}
			n := deltaChips(all, whole, 3, 4, func(int, *tree.Node) {})
			for r := range rooms {
				seen, counted := 0, 0
				n.Find(func(n *tree.Node) bool {
					class, _ := n.Value("class")
					for _, c := range strings.Fields(class) {
						switch c {
						case "chip":
							if room, _ := strconv.Atoi(roomOf(class)); room <= r+1 {
								seen++
							}
						case "only" + strconv.Itoa(r+1):
							k, _ := strconv.Atoi(n.TextContent()[1:])
							counted += k
						}
					}
					return false
				})
				if seen+counted != total+3+4 || seen != min(total, rooms[r]+1) {
					t.Errorf("of %d deltas %d is whole, in room %d: %d are shown, and %d counted", total, whole, r+1, seen, counted)
				}
			}
		}
	}
}

func roomOf(class string) string {
	if m := regexp.MustCompile(`room(\d)`).FindStringSubmatch(class); m != nil {
		return m[1]
	}
	return "0"
}

// A batch is a list of its deltas with their keys, and the loop says how many there are.
func TestABatchIsAList(t *testing.T) {
	f := viewtest.Frame()
	chip := func(key string) link.Chip { return link.Chip{T: link.LetterUpdated, Key: key, RV: "7"} }
	f.Loop = link.Loop{State: link.LoopStoring, Batch: true, Total: 12, From: 4, Current: 5, Deltas: []link.Chip{chip("a/x"), chip("a/y"), chip("b/z")}}
	if text := shown(t, "en", f, "st-loop").TextContent(); !strings.Contains(text, "batch of 12") {
		t.Errorf("the loop says %q", text)
	}
	list := shown(t, "en", f, "batch")
	for i, want := range []string{"a/x", "a/y", "b/z"} {
		place := link.PlacePopped(4 + i)
		if text := list.TextContent(); !strings.Contains(text, want) || list.Find(func(n *tree.Node) bool { v, _ := n.Value("data-place"); return v == place }) == nil {
			t.Errorf("%s is not at %s in %q", want, place, text)
		}
	}
	f.Loop.Deltas = []link.Chip{{T: link.LetterReplaced, Name: link.NameReplacedAll, N: 3}}
	f.Loop.From, f.Loop.Current, f.Loop.Total = 0, 0, 1
	if text := shown(t, "en", f, "batch").TextContent(); !strings.Contains(text, "ReplacedAll") || !strings.Contains(text, "×3") {
		t.Errorf("a ReplacedAll is shown as %q", text)
	}
}

// A thing that can't happen in the run has no column, no arrow and no name.
func TestNothingIsShownThatCannotHappen(t *testing.T) {
	f := viewtest.Frame()
	for _, c := range []struct{ delays, writes bool }{{false, false}, {true, false}, {true, true}} {
		f.Work.Delays, f.Work.Writes = c.delays, c.writes
		_, writes := shown(t, "en", f, "stage").Value("data-writes")
		if delayed := shown(t, "en", f, "set-delayed") != nil; delayed != c.delays || writes != c.writes {
			t.Errorf("%+v: the column of delayed keys is shown: %v, and the arrow back: %v", c, delayed, writes)
		}
		if says := strings.Contains(shown(t, "en", f, "st-work").TextContent(), "API server"); says != c.writes {
			t.Errorf("%+v: the workqueue leads to the API server: %v", c, says)
		}
	}
}

// Each state of the wire is a text of its own beside the server.
func TestTheWireSaysItsState(t *testing.T) {
	for _, lang := range viewtest.Languages(t) {
		f := viewtest.Frame()
		texts := map[string]string{}
		for _, s := range link.Wires {
			f.Wire = link.Wire{State: s, Since: 9e9, Remaining: 1e9, BackOff: 2e9}
			n := shown(t, lang, f, "wire-state")
			if v, _ := n.Value("data-wire"); v != s {
				t.Errorf("%s: the wire is %q, not %q", lang, v, s)
			}
			if other := texts[n.TextContent()]; other != "" || n.TextContent() == "" {
				t.Errorf("%s: %s says %q, as %s does", lang, s, n.TextContent(), other)
			}
			texts[n.TextContent()] = s
			if d, _ := widget.Icon(wireIcons[s]).Find(func(n *tree.Node) bool { _, is := n.Value("d"); return is }).Value("d"); d == "" {
				t.Errorf("%s has no icon", s)
			}
		}
	}
}

// The map of a large cache has a legend, and each cell leads to its keys.
func TestTheMapOfALargeCache(t *testing.T) {
	f := viewtest.Frame()
	f.Store = link.Store{Objects: 9000, Lit: 1, Density: []int{0, 1, 40}, Heat: []int{0, 3, 0}}
	n := shown(t, "en", f, "density")
	var asks, classes []string
	n.Find(func(n *tree.Node) bool {
		if act, _ := n.Value("data-act"); act == "askCell" {
			arg, _ := n.Value("data-arg")
			class, _ := n.Value("class")
			asks, classes = append(asks, arg), append(classes, class)
		}
		return false
	})
	if !slices.Equal(asks, []string{"0", "1", "2"}) || !slices.Equal(classes, []string{"cell shade0 heat0", "cell shade1 heat3 touched", "cell shade5 heat0"}) {
		t.Errorf("the cells ask %q, and have the classes %q", asks, classes)
	}
	if text := shown(t, "en", f, "map-legend").TextContent(); !strings.Contains(text, "40") || !strings.Contains(text, "written lately") {
		t.Errorf("the legend is %q", text)
	}
}

// Wires stand out from the ground by 3:1 at least, in each theme and state.
func TestWiresStandOut(t *testing.T) {
	css := viewtest.Served(t, ".css")
	pair := func(name string) [2]string {
		for range 3 {
			m := regexp.MustCompile(`--` + name + `:\s*(?:light-dark\((#\w+), (#\w+)\)|var\(--(\w+)\))`).FindStringSubmatch(css)
			if m == nil {
				break
			}
			if m[3] == "" {
				return [2]string{m[1], m[2]}
			}
			name = m[3]
		}
		t.Fatalf("there is no colour %s", name)
		return [2]string{}
	}
	colours := viewtest.Named(css, `--w: var\(--(\w+)\)`)
	if len(colours) < 4 {
		t.Fatalf("wires have the colours %q", colours)
	}
	for _, name := range colours {
		for theme, ground := range pair("ground") {
			if c := contrast(t, pair(name)[theme], ground); c < 3 {
				t.Errorf("%s on %s has a contrast of %.2f:1", pair(name)[theme], ground, c)
			}
		}
	}
}

// contrast is the contrast ratio of WCAG 2.
func contrast(t *testing.T, a, b string) float64 {
	luminance := func(colour string) float64 {
		n, err := strconv.ParseUint(colour[1:], 16, 32)
		if err != nil || len(colour) != 7 {
			t.Fatalf("%q is no colour", colour)
		}
		sum := 0.0
		for i, weight := range []float64{.2126, .7152, .0722} {
			v := float64(n>>(16-8*i)&0xff) / 255
			if v <= .04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+.055)/1.055, 2.4)
			}
			sum += weight * v
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}
