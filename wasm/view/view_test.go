package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// The second machine is on a stage of its own, where things can be looked at and
// nothing else. The difference that was gone to is lit in both.
func TestSecondStage(t *testing.T) {
	m := viewtest.Busy(t, "en")
	addSecond(m)
	v := new(View)
	root, document := v.Page(m)
	find := func(class string) *tree.Node {
		return root.Find(func(n *tree.Node) bool { c, _ := n.Value("class"); return c == class })
	}
	second := find("beside")
	if second == nil || document["data-beside"] != "8300" {
		t.Fatalf("there is no second stage: %v", document)
	}
	if !strings.Contains(second.TextContent(), link.RealFIFO) && second.Find(func(n *tree.Node) bool { return n.TextContent() == link.RealFIFO }) == nil {
		t.Error("the second stage has the first one's queue")
	}
	for _, name := range []string{"data-place", "id"} {
		if n := second.Find(func(n *tree.Node) bool { _, is := n.Value(name); return is }); n != nil {
			t.Errorf("the second stage has a %s", name)
		}
	}
	if n := second.Find(func(n *tree.Node) bool { act, is := n.Value("data-act"); return is && act != "inspect" }); n != nil {
		t.Error("something can be done to the second machine")
	}
	if find("lane differs") == nil || find("pane-name pane-2 differs") == nil {
		t.Error("the difference is not lit")
	}
	m.Second.Comparison = nil
	if root, document = v.Page(m); find("beside") != nil || document["data-beside"] != "" {
		t.Error("the second stage stays after it was given up")
	}
}

// The places that a move names are on the stage, or the places around them are.
func TestEveryPlaceIsThere(t *testing.T) {
	m := viewtest.Busy(t, "en")
	root, _ := new(View).Page(m)
	for _, place := range []string{
		"server", "tape/3", "reflector", "queue", "queue/default/web", "queue/default/web/5", "queue/default/web/6",
		"loop", "loop/0", "store", "store/default/web", "processor", "listener/0/addCh", "listener/1/slot", "listener/1/pending", "listener/1/nextCh", "listener/1/handler",
		"work/queue/default/web", "work/dirty/default/web", "work/processing/default/db", "work/delayed/a/b", "worker/0",
	} {
		found := root.Find(func(n *tree.Node) bool { v, _ := n.Value("data-place"); return v == place })
		if found == nil {
			t.Errorf("nothing is the place %s", place)
		}
	}
}

// In every language, every text has its words, and everything in a frame is shown.
func TestNoTextIsMissing(t *testing.T) {
	for _, lang := range viewtest.Languages(t) {
		m := viewtest.Busy(t, lang)
		addSecond(m)
		for _, tab := range desk.Tabs(desk.Groups[:]) {
			m.Front.Tab = tab
			m.Front.Dialog = "help"
			m.Front.Object = &link.Object{Ref: 7, Prev: 3, Key: "default/web", RV: "48213", PrevRV: "48207", Lines: []link.DiffLine{{Text: "{"}, {Mark: "+", Text: `  "a": 1`}, {Text: "}"}}}
			root, document := new(View).Page(m)
			root.Find(func(n *tree.Node) bool {
				texts := []string{n.TextContent()}
				for _, a := range []string{"title", "aria-label"} {
					v, _ := n.Value(a)
					texts = append(texts, v)
				}
				for _, s := range texts {
					for _, id := range []string{"ui.", "step.", "pc.", "wait.", "actor.", "{"} {
						if strings.HasPrefix(s, id) && s != "{" && !strings.HasPrefix(s, "{ ") {
							t.Errorf("%s, %s: an id is shown instead of its words: %q", lang, tab, s)
						}
					}
				}
				return false
			})
			if document["data-step"] != "8214" || document["data-ready"] != "true" || document["data-loading"] != "false" {
				t.Errorf("the document says %v", document)
			}
		}
	}
}

func TestMotionFollowsTheMoves(t *testing.T) {
	m := viewtest.Busy(t, "en")
	fades := func() bool {
		root, _ := new(View).Page(m)
		return root.Find(func(n *tree.Node) bool { _, cut := n.Value("data-cut"); return cut }) == nil
	}
	if !fades() {
		t.Error("at a step, nothing fades")
	}
	motion := Motion(m)
	if motion.Millis < 180 || len(motion.Moves) != 1 || motion.Moves[0].To != "listener/1/nextCh" || motion.Back {
		t.Errorf("at a step, the motion is %+v", motion)
	}
	m.Stage.Frame.Dir = -1
	if !Motion(m).Back {
		t.Error("a step back isn't seen as one")
	}
	m.Stage.Frame.Dir = 0
	if Motion(m).Millis != 0 {
		t.Error("at a jump, things travel")
	}
	if fades() {
		t.Error("at a jump, things fade")
	}
	m.Stage.Frame.Dir, m.Settings.ReducedMotion = 1, true
	if still := Motion(m); still.Millis != 0 || len(still.Lit) != 1 {
		t.Errorf("with reduced motion, the motion is %+v", still)
	}
}

// If the frame hasn't changed, a patch has nothing to do.
func TestNothingChangesWithoutAChange(t *testing.T) {
	m := viewtest.Busy(t, "en")
	var v View
	var p tree.Patcher
	root, document := v.Page(m)
	p.Patch(root, document, nil)
	root, document = v.Page(m)
	if out := p.Patch(root, document, nil); len(out) != 0 {
		t.Errorf("a patch without a change has %d bytes: %q", len(out), out)
	}
}

// The trail lists the steps before, the newest first. Each leads to its step.
func TestBeforeThat(t *testing.T) {
	m := viewtest.Busy(t, "en")
	m.Stage.Frame.Before = []link.StepSummary{
		{Step: 8212, Sentence: link.Sentence{ID: "step.watchClosed", Args: map[string]link.Arg{"n": {Kind: "num", V: "1"}}}},
		{Step: 8213, Sentence: link.Sentence{ID: "step.quiet", Args: map[string]link.Arg{"actor": {Kind: "text", V: "loop"}}}},
	}
	root, _ := new(View).Page(m)
	var steps []string
	text := ""
	root.Find(func(n *tree.Node) bool {
		if act, _ := n.Value("data-act"); act == "seek" && len(steps) < len(m.Stage.Frame.Before) {
			step, _ := n.Value("data-arg")
			steps, text = append(steps, step), text+n.TextContent()
		}
		return false
	})
	if !slices.Equal(steps, []string{"8213", "8212"}) || text != "8\u202f213process loop goes on. Nothing that is shown changes.8\u202f212The server ends the watch after the reflector has taken 1 event from it." {
		t.Errorf("the steps are %q, and their sentences %q", steps, text)
	}
}

// The live region says what a step did, and why.
func TestTheLiveRegionSaysWhy(t *testing.T) {
	m := viewtest.Busy(t, "en")
	m.Stage.Heard = link.StepSummary{Step: 3, Sentence: link.Sentence{ID: "step.watchClosed", Args: map[string]link.Arg{"n": {Kind: "num", V: "2"}}}, Reason: &link.Sentence{ID: "why.resyncFired"}}
	root, _ := new(View).Page(m)
	region := root.Find(func(n *tree.Node) bool { _, live := n.Value("aria-live"); return live })
	if want := "The server ends the watch after the reflector has taken 2 events from it. " + m.Settings.Words["why.resyncFired"]; region.TextContent() != want {
		t.Errorf("the live region says %q, not %q", region.TextContent(), want)
	}
}

func BenchmarkPage(b *testing.B) {
	m := viewtest.Busy(&testing.T{}, "en")
	var v View
	var p tree.Patcher
	for b.Loop() {
		f := *m.Stage.Frame
		m.Stage.Frame, m.Stage.Lists = &f, &f
		root, document := v.Page(m)
		p.Patch(root, document, nil)
	}
}

// An actor that waits for a lock is shown with the lock's holder, and with the
// name by which a reader knows the lock.
func TestLocksAndTheirHoldersAreNamed(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"process loop holds the queue's lock", "waits for the queue's lock, which process loop holds", "waits for process loop"},
		"zh": {"process loop 持有锁：队列锁", "等待锁：队列锁（由 process loop 持有）", "等待 process loop"},
	} {
		m := viewtest.Busy(t, lang)
		for _, tab := range []desk.Tab{desk.Explain, desk.Actors} {
			m.Front.Tab = tab
			root, _ := new(View).Page(m)
			var said []string
			root.Find(func(n *tree.Node) bool {
				title, _ := n.Value("title")
				said = append(said, title, n.TextContent())
				return false
			})
			for _, s := range want {
				if tab == desk.Explain && !slices.Contains(said, s) {
					t.Errorf("%s: the page doesn't say %q", lang, s)
				}
			}
			if tab == desk.Actors && !slices.Contains(said, want[1]) {
				t.Errorf("%s: the table doesn't say %q", lang, want[1])
			}
			if slices.Contains(said, link.LockFIFO) {
				t.Errorf("%s: the page calls a lock %s", lang, link.LockFIFO)
			}
		}
	}
}

// In a frame there is no element whose command is refused there, whatever dialog is open.
func TestAFrameHasNothingThatIsRefused(t *testing.T) {
	m := viewtest.Busy(t, "en")
	m.Site.Embedded = true
	m.Sharing.Share = &session.Share{Fragment: "#trace=shop", URL: "https://example.org/#trace=shop"}
	m.Expr.Asked, m.Expr.Watched = "depth()", []*link.Watched{{Text: "depth()", Done: true, Plot: &link.Levels{}}}
	for _, m.Front.Dialog = range []string{"", "about", "link", "second", "scripts", "help", "course"} {
		for _, m.Front.Tab = range desk.Tabs(desk.Groups[:]) {
			root, _ := new(View).Page(m)
			for _, name := range session.NotInFrame() {
				if viewtest.Find(root, "data-act", name) != nil {
					t.Errorf("the tab %s with the dialog %q has %s", m.Front.Tab, m.Front.Dialog, name)
				}
			}
		}
	}
}

// A missing value is shown as the words for what that means, and never as a dash or as nothing.
func TestEmptyValuesAreSaid(t *testing.T) {
	m := viewtest.Busy(t, "en")
	m.Stage.Frame.Server = link.Server{Simulated: true, Next: -1}
	m.Stage.Frame.Reflector.RV = ""
	m.Stage.Frame.Store.Indices[0].Top = []link.IndexValue{{Keys: 2}}
	m.Stage.Frame.Actors = []link.Actor{{ID: link.ActorResync, PC: "none", Waits: "stopped"}, {ID: link.ActorReflector, PC: "reflectorReceive", Waits: "server"}, {ID: link.ActorLoop, PC: "loopPop", Waits: "cond"}}
	m.Hands.Lines = []link.ConsoleLine{{Kind: "step", Text: "compact", Step: 3}}
	m.Indexer.Answer = &link.Answer{Query: link.Query{Func: "IndexKeys", Index: "app"}}
	m.Front.Object = &link.Object{Key: "default/web", Prev: 3, Lines: []link.DiffLine{{Mark: "+", Text: "{"}}}
	for tab, want := range map[desk.Tab][]string{
		desk.Explain: {"resourceVersionnone yet", "lastSyncResourceVersionnone yet", "revisionnone yet", "oldestnone yet", "empty2"},
		desk.Actors:  {"resync goroutinenothingisn't running", "receives the next watch eventthe API server", "a signal (sync.Cond)"},
		desk.Console: {"somebody outsidecompact"},
		desk.Cache:   {`IndexKeys("app", "")`},
		desk.Object:  {"default/webno resourceVersion", "Changes since the version before:"},
	} {
		m.Front.Tab = tab
		root, _ := new(View).Page(m)
		text := root.TextContent()
		for _, s := range want {
			if !strings.Contains(text, s) {
				t.Errorf("%s doesn't say %q: %s", tab, s, text)
			}
		}
		if strings.Contains(text, "server, ") || strings.Contains(text, "0\u202fns") {
			t.Errorf("%s has the word for an argument without a value: %s", tab, text)
		}
	}
}

// A listener has the same colour at its station as in the timeline's legend.
func TestListenersWearTheirColour(t *testing.T) {
	m := viewtest.Busy(t, "en")
	for i := range 3 {
		m.Stage.Frame.Processor.Listeners = append(m.Stage.Frame.Processor.Listeners, link.Listener{ID: 7 + i, Name: "more", Joined: true})
	}
	m.Front.Dialog = "goTo"
	root, _ := new(View).Page(m)
	for class, ids := range map[string][]int{"lane0": {0, 8}, "lane1": {1, 9}, "lane7": {7}} {
		if n := len(viewtest.WithClass(root, class)); n != 2*len(ids) {
			t.Errorf("%d things have the colour of the listeners %v", n, ids)
		}
	}
}

// A future's bar lies on the timeline where its steps are, or its times.
func TestFuturesLieOnTheTimeline(t *testing.T) {
	m := viewtest.Busy(t, "en")
	m.Stage.Frame.Step, m.Stage.Frame.Steps, m.Stage.Timeline = 300, 1000, &link.Timeline{Axis: link.ByStep, Steps: 1000, Start: 5e9, End: 25e9}
	m.Hands.Lanes = &link.Lanes{Shown: 1, List: []link.Lane{
		{ID: 0, Parent: -1, Steps: 500, End: 20e9},
		{ID: 1, Parent: 0, BranchStep: 250, LeftTime: 10e9, Steps: 251, End: 10e9, Lines: []string{"compact"}}, // and is being made
		{ID: 2, Parent: 0, BranchStep: 750, LeftTime: 15e9, Steps: 2000, End: 95e9, Lines: []string{"stop"}},   // further than the timeline
	}}
	for _, c := range []struct {
		axis link.Axis
		want []string
	}{
		{link.ByStep, []string{"0.00% 50.00%", "25.00% 75.00%", "75.00% 25.00%"}},
		{link.ByTime, []string{"0.00% 75.00%", "25.00% 75.00%", "50.00% 50.00%"}},
	} {
		m.Stage.Axis = c.axis
		root, _ := new(View).Page(m)
		var got []string
		root.Find(func(n *tree.Node) bool {
			left, placed := n.Value("left")
			if width, sized := n.Value("width"); placed && sized { // as only their bars are
				got = append(got, left+" "+width)
			}
			return false
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("by %s, the bars lie at %q, not at %q", c.axis, got, c.want)
		}
	}
}

// While a capture is read, its card alone counts events: the bar says how many bytes were read.
func TestTheBarCountsBytes(t *testing.T) {
	m := viewtest.Busy(t, "en")
	m.Open.Loading, m.Open.Progress = true, link.Progress{Phase: link.Reading, Done: 36_000, Total: 186_000_000}
	bar := func() string {
		root, _ := new(View).Page(m)
		return root.Find(func(n *tree.Node) bool { c, _ := n.Value("class"); return c == "progress" }).TextContent()
	}
	if says := bar(); !strings.HasPrefix(says, "36\u202fkB read") {
		t.Errorf("while it is read, the bar says %q", says)
	}
	m.Open.Progress.Done = 0
	if says := bar(); !strings.HasPrefix(says, "Loading…") {
		t.Errorf("before anything was read, the bar says %q", says)
	}
}
