package view

import (
	"regexp"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/desk"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// speaking is a page that has words and nothing else.
func speaking(texts map[string]string) *page {
	return &page{m: &session.Model{}, w: viewtest.Speaking(texts), f: &link.Frame{}}
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
		desk.Console: {"the outside worldcompact"},
		desk.Object:  {`IndexKeys("app", "")`, "default/webno resourceVersion", "Changes since the version before:"},
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

// What keeps an exercise from being checked is said in Chinese, too.
func TestExerciseErrorsInChinese(t *testing.T) {
	p := speaking(viewtest.Catalogue(t, "zh"))
	_, err := script.Parse("# a\n# b\ntakes h")
	n := p.exercise(&learn.Learning{Solved: map[int]link.Checked{0: {Why: link.Fault(err)}}}, link.LessonPart{}, 0, false)
	if got := n.TextContent(); !strings.HasSuffix(got, "第 3 行第 8 列：缺少：时长或 forever") {
		t.Errorf("the exercise says %q", got)
	}
}

// The program for the command line says the same in English as the page.
func TestRemarksReadTheSameInTheTerminal(t *testing.T) {
	p := speaking(viewtest.Catalogue(t, "en"))
	for _, id := range remarks.IDs() {
		for _, count := range []int64{1, 2, 123} {
			if page, terminal := p.remark(link.Remark{ID: id, Count: count, Detail: "pods"}), remarks.Sentence(id, count, "pods"); page != terminal {
				t.Errorf("the page says %q, and the terminal %q", page, terminal)
			}
		}
	}
}

// What a profile has changed is said with the exact versions that it stands for.
func TestProfilesSayTheirVersions(t *testing.T) {
	for _, code := range viewtest.Languages(t) {
		p := speaking(viewtest.Catalogue(t, code))
		p.m.Open.Trace = &link.Opened{}
		for _, x := range world.Profiles() {
			p.m.Open.Trace.Profiles = append(p.m.Open.Trace.Profiles, link.Profile{Name: x.Name, Versions: x.Versions})
		}
		for _, x := range p.m.Open.Trace.Profiles {
			p.m.Open.Trace.Setup.Profile = x.Name
			said, _ := p.profiles().Value("title")
			if !strings.HasPrefix(said, x.Versions) || len(regexp.MustCompile(`v0\.\d`).FindAllString(said, -1)) != strings.Count(x.Versions, "v0.") {
				t.Errorf("%s says of %s: %s", code, x.Name, said)
			}
		}
	}
}
