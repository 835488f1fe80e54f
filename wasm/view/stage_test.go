package view

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// shown is a part of the page of a model: the first element with a class.
func shown(m *session.Model, class string) *tree.Node {
	root, _ := new(View).Page(m)
	return root.Find(func(n *tree.Node) bool {
		c, _ := n.Value("class")
		return slices.Contains(strings.Fields(c), class)
	})
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
	m := busy(t, "en")
	chip := func(key string) link.Chip { return link.Chip{T: link.LetterUpdated, Key: key, RV: "7"} }
	m.Stage.Lists.Loop = link.Loop{State: link.LoopStoring, Batch: true, Total: 12, From: 4, At: 5, Deltas: []link.Chip{chip("a/x"), chip("a/y"), chip("b/z")}}
	if text := shown(m, "st-loop").TextContent(); !strings.Contains(text, "batch of 12") {
		t.Errorf("the loop says %q", text)
	}
	list := shown(m, "batch")
	for i, want := range []string{"a/x", "a/y", "b/z"} {
		place := link.PlacePopped(4 + i)
		if text := list.TextContent(); !strings.Contains(text, want) || list.Find(func(n *tree.Node) bool { v, _ := n.Value("data-place"); return v == place }) == nil {
			t.Errorf("%s is not at %s in %q", want, place, text)
		}
	}
	m.Stage.Lists.Loop.Deltas = []link.Chip{{T: link.LetterReplaced, Name: link.NameReplacedAll, N: 3}}
	m.Stage.Lists.Loop.From, m.Stage.Lists.Loop.At, m.Stage.Lists.Loop.Total = 0, 0, 1
	if text := shown(m, "batch").TextContent(); !strings.Contains(text, "ReplacedAll") || !strings.Contains(text, "×3") {
		t.Errorf("a ReplacedAll is shown as %q", text)
	}
}

// A thing that can't happen in the run has no column, no arrow and no name.
func TestNothingIsShownThatCannotHappen(t *testing.T) {
	m := busy(t, "en")
	for _, c := range []struct{ delays, writes bool }{{false, false}, {true, false}, {true, true}} {
		m.Stage.Frame.Work.Delays, m.Stage.Frame.Work.Writes = c.delays, c.writes
		_, writes := shown(m, "stage").Value("data-writes")
		if delayed := shown(m, "set-delayed") != nil; delayed != c.delays || writes != c.writes {
			t.Errorf("%+v: the column of delayed keys is shown: %v, and the arrow back: %v", c, delayed, writes)
		}
		if says := strings.Contains(shown(m, "st-work").TextContent(), "API server"); says != c.writes {
			t.Errorf("%+v: the workqueue leads to the API server: %v", c, says)
		}
	}
}

// Each state of the wire is a text of its own beside the server.
func TestTheWireSaysItsState(t *testing.T) {
	for _, lang := range languages(t) {
		m := busy(t, lang)
		texts := map[string]string{}
		for _, s := range link.Wires {
			m.Stage.Frame.Wire = link.Wire{State: s, Since: 9e9, Left: 1e9, Of: 2e9}
			n := shown(m, "wire-state")
			if v, _ := n.Value("data-wire"); v != s {
				t.Errorf("%s: the wire is %q, not %q", lang, v, s)
			}
			if other := texts[n.TextContent()]; other != "" || n.TextContent() == "" {
				t.Errorf("%s: %s says %q, as %s does", lang, s, n.TextContent(), other)
			}
			texts[n.TextContent()] = s
			if icons[wireIcons[s]] == "" {
				t.Errorf("%s has no icon", s)
			}
		}
	}
}

// The map of a large cache has a legend, and each cell leads to its keys.
func TestTheMapOfALargeCache(t *testing.T) {
	m := busy(t, "en")
	m.Stage.Lists.Store = link.Store{Objects: 9000, Lit: 1, Density: []int{0, 1, 40}, Heat: []int{0, 3, 0}}
	n := shown(m, "density")
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
	if text := shown(m, "map-legend").TextContent(); !strings.Contains(text, "40") || !strings.Contains(text, "written lately") {
		t.Errorf("the legend is %q", text)
	}
}

// Answers lead to objects, and the values of an index to the objects that have them.
func TestAnswersLeadOn(t *testing.T) {
	m := busy(t, "en")
	m.Front.Tab = desk.Object
	leads := func() (out []string) {
		shown(m, "answer").Find(func(n *tree.Node) bool {
			if act, _ := n.Value("data-act"); act != "" {
				arg, _ := n.Value("data-arg")
				out = append(out, act+" "+arg)
			}
			return false
		})
		return out
	}
	m.Indexer.Answer = &link.Answer{Query: link.Query{Func: link.FuncByIndex, Index: "app", Value: "web"}, Step: 7, From: 100, Total: 230, Rows: []link.AnswerRow{{Text: "a/web", RV: "3", Ref: 9}}}
	if got := leads(); !slices.Equal(got, []string{"dropAnswer ", "askPage 0", "askPage 101", "inspect 9"}) {
		t.Errorf("an answer leads to %q", got)
	}
	if text := shown(m, "answer").TextContent(); !strings.Contains(text, `ByIndex("app", "web")`) || !strings.Contains(text, "at step 7") {
		t.Errorf("the answer says %q", text)
	}
	m.Indexer.Answer = &link.Answer{Query: link.Query{Func: link.FuncListIndexFuncValues, Index: "app"}, Total: 1, Rows: []link.AnswerRow{{Text: "web", Keys: 2}}}
	if got := leads(); !slices.Equal(got, []string{"dropAnswer ", "inspectIndex app=web"}) {
		t.Errorf("a value leads to %q", got)
	}
	m.Indexer.Answer = &link.Answer{Error: link.FaultText("Index with name x does not exist")}
	if text := shown(m, "answer").TextContent(); !strings.Contains(text, "does not exist") {
		t.Errorf("an error is shown as %q", text)
	}
}

// Whatever a script comes to can be drawn, and in it each chip has its place once.
func TestEveryStepOfEveryScriptIsDrawn(t *testing.T) {
	files, err := filepath.Glob("../../engine/script/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := script.NewRunner(func(script.Entry) {})
		if err := r.Play(string(statements.ReplaceAll(text, nil))); err != nil || r.History() == nil {
			continue // the script is about lines that can't be played
		}
		h := r.History()
		m := busy(t, "en")
		keys := picture.NewRanks(h.Front().Informers[0].Config().Table)
		for step := range h.Steps() + 1 {
			h.SeekTo(step)
			m.Stage.Frame = picture.New(h.At(), h.At().Informers[0], m.Window(), keys).Frame()
			m.Stage.Lists = m.Stage.Frame
			root, _ := new(View).Page(m)
			places := map[string]bool{}
			root.Find(func(n *tree.Node) bool {
				if place, ok := n.Value("data-place"); ok {
					if places[place] {
						t.Errorf("%s, step %d: there are two places %s", filepath.Base(name), step, place)
					}
					places[place] = true
				}
				return false
			})
		}
	}
}

// statements matches what a golden file has beside the script's own lines.
var statements = regexp.MustCompile(`(?m)^> |^[^>#].*\n`)

// Wires stand out from the ground by 3:1 at least, in each theme and state.
func TestWiresStandOut(t *testing.T) {
	css := served(t, ".css")
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
	colours := named(css, `--w: var\(--(\w+)\)`)
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
