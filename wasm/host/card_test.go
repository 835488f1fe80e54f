package host

import (
	"bytes"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace/worker"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/view"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// TestCard: the card tells what the capture holds while it is read, and each moment that it names can be gone to.
func TestCard(t *testing.T) {
	p := newPage(t)
	c := last(p.ask(link.Open{Name: "a"}, recording(t, "../../web/traces/shop.trace.jsonl.gz")), func(r *link.Reply) *link.Card { return news[*link.Card](r) })
	if c == nil || !c.Complete || len(c.Rows) != 12 || c.Nobody != "" || c.End < 20e9 || len(c.Counts) == 0 {
		t.Fatalf("the card is %+v", c)
	}
	sum, changes := 0, int64(0)
	for _, n := range c.Counts {
		sum += n
	}
	for i, r := range c.Rows {
		changes += r.Events
		if r.Name != "pods" {
			continue
		}
		if r.Relisted != 1 || len(r.Relists) != 1 || r.Relists[0].Reason != "expired" || r.Busiest == "" {
			t.Errorf("pods: %+v", r)
		}
		f := p.frame(link.Show{Informer: i, Time: r.First, Key: r.Busiest})
		if f.Informer != i || f.Step == 0 || f.Sentence.Args["key"].V != r.Busiest {
			t.Errorf("%s leads to step %d: %+v", r.Busiest, f.Step, f.Sentence)
		}
		f = p.frame(link.Show{Informer: i, Time: r.Relists[0].Time, Lists: true})
		if !strings.Contains(f.Sentence.ID, "list") || f.Time < r.Relists[0].Time-1e6 {
			t.Errorf("the relist leads to step %d: %+v", f.Step, f.Sentence)
		}
	}
	if int64(sum) > changes || sum < 100 {
		t.Errorf("the columns have %d changes of %d events", sum, changes)
	}
}

// A finding about a handler that panicked leads to the call of the handler.
func TestAPanicLeadsToItsCall(t *testing.T) {
	for _, name := range []string{"tombstone", "update", "often"} {
		p := newPage(t)
		c := last(p.ask(link.Open{Name: "a"}, recording(t, "../../replay/findings/testdata/handler-panic."+name+".trace.jsonl.gz")), func(r *link.Reply) *link.Card { return news[*link.Card](r) })
		f := c.Found[0]
		p.frame(link.Seek{Step: 1 << 40})
		at := p.frame(link.Show{Informer: f.Informer, Time: f.From, Key: f.Key})
		want := map[string]string{"OnUpdate": "step.handlerCalledUpdated", "OnDelete": "step.handlerCalledDeleted"}[f.Sentence.Args["fn"].V]
		if at.Sentence.Args["key"].V != f.Key || !strings.HasPrefix(at.Sentence.ID, want) {
			t.Errorf("%s: step %d says %+v", name, at.Step, at.Sentence)
		}
	}
}

// A capture with recorded handlers is shown when all of it was read. What was found by then comes with the first step.
func TestFindingsComeWithTheFirstStep(t *testing.T) {
	p := newPage(t)
	f := recording(t, "../../replay/findings/testdata/hot-key.among-many.trace.jsonl.gz")
	f.piece = 1 << 15 // the first has calls
	p.heard = func(r *link.Reply) {
		if f := news[*link.Frame](r); f != nil && p.h.opener.doc.reader.pass.Resource(0).Records < 200 {
			t.Error("there is a step to show, and not all of what was read was looked at")
		}
	}
	replies := p.ask(link.Open{Name: "a"}, f)
	for _, r := range replies {
		if c := news[*link.Card](r); c != nil {
			if len(c.Found) != 1 || !c.Complete {
				t.Errorf("the first card is %+v", c)
			}
			return
		}
	}
	t.Error("there is no card")
}

// The card says each sentence of the first screen of informerscope report, in its order, about all recordings of the project.
func TestTheCardSaysWhatTheReportSays(t *testing.T) {
	texts, plain := viewtest.Catalogue(t, "en"), strings.NewReplacer("\u202f", " ", "\u00a0", " ")
	writes := said.Format{Count: words.Grouped[int64], Duration: words.Duration, Size: words.Weight, Text: func(s string) string { return s }}
	recordings := 0
	for _, folder := range []string{"../../replay", "../../web/traces"} {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() && filepath.ToSlash(name) == "../../replay/serve/page/site" {
				return filepath.SkipDir // the page that was built has copies
			}
			if err != nil || !strings.HasSuffix(d.Name(), ".trace.jsonl.gz") {
				return err
			}
			recordings++
			p := newPage(t)
			f := recording(t, name)
			replies := p.ask(link.Open{Name: d.Name(), URL: "a"}, f)
			m := viewtest.Busy(t, "en")
			m.Open.View = navigation.Card
			m.Open.Trace, m.Card.Card = last(replies, news[*link.Opened]), last(replies, news[*link.Card])
			if m.Open.Trace == nil || m.Card.Card == nil {
				t.Errorf("%s has no card", name)
				return nil
			}
			m.Settings.Words = texts
			root, _ := new(view.View).Page(m)
			rest := plain.Replace(viewtest.Find(root, "id", "card").TextContent())
			first, found := firstScreen(t, f.data, m.Open.Trace.HasSetup, writes)
			if g, w := (&link.Reply{News: &link.Card{Found: m.Card.Card.Found}}).Encode(), (&link.Reply{News: &link.Card{Found: found}}).Encode(); !bytes.Equal(g, w) {
				t.Errorf("%s: the card has the findings\n%s\nand the report\n%s", name, g, w)
			}
			for _, s := range first {
				_, after, ok := strings.Cut(rest, plain.Replace(s))
				if !ok {
					t.Fatalf("%s: the card lacks %q, or says it earlier. What is left of it:\n%s", name, s, rest)
				}
				rest = after
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if recordings < 60 {
		t.Errorf("there are %d recordings", recordings)
	}
}

// firstScreen returns what informerscope report says first of a capture, and its findings. Where the capture brings the setup of a
// viewer, there are handlers although none was recorded.
func firstScreen(t *testing.T, data []byte, given bool, how said.Format) (all []string, found []link.Finding) {
	t.Helper()
	log := &worker.Log{}
	r := format.NewReader(format.Options{OtherLine: log.Line})
	pass := findings.NewPass(r.Trace(), findings.Options{Log: log, Bytes: func(offset int64, n int) []byte { return data[offset:][:n] }})
	r.Write(data)
	r.Close()
	for pass.Add(math.MaxInt) {
	}
	c := pass.Card()
	lines := slices.Concat([]findings.Line{c.Title}, c.Facts)
	for i := range c.Found {
		f := &c.Found[i]
		found = append(found, linkFinding(f))
		lines = append(lines, findings.Line{ID: "harm." + string(f.Harm)}, findings.Line{ID: "finding." + f.ID + ".title"}, f.Line(), findings.Line{ID: "finding." + f.ID + ".instead"})
	}
	for i := range c.Handlers[:min(len(c.Handlers), 8)] {
		lines = append(lines, c.Handlers[i].Line())
	}
	if c.Nobody != nil && !given {
		lines = append(lines, *c.Nobody)
	}
	for _, l := range slices.Concat(lines, c.Lacks) {
		all = append(all, said.Sentence(&l, how))
	}
	for _, m := range r.Trace().Remarks {
		all = append(all, remarks.Sentence(m.ID, m.Count, m.Detail))
	}
	return all, found
}
