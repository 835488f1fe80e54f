package host

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

func savedOf(r *link.Reply) *link.Saved   { return news[*link.Saved](r) }
func makingOf(r *link.Reply) *link.Making { return news[*link.Making](r) }

// export asks for a text of what is open, and returns its file.
func (p *page) export(as link.TextFormat) (name, text string) {
	p.t.Helper()
	answers := p.ask(link.SaveText{Format: as}, nil)
	saved := last(answers, savedOf)
	if saved == nil {
		p.t.Fatalf("%s: nothing was saved: %s", as, p.failures())
	}
	data := p.given[saved.Name]
	if int64(len(data)) == 0 {
		p.t.Errorf("%s: the file %s is empty", as, saved.Name)
	}
	return saved.Name, string(data)
}

// Every text can be made of a script, and says what the run was. The viewer stays where
// it was.
func TestTextsOfAScript(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "small-one.txt"}, asFile(small))
	at := p.frame(link.Seek{Step: 7}).Step

	name, session := p.export(link.AsSession)
	if name != "small-one.session.txt" || !strings.Contains(session, "expect calls metrics 2\n") || !strings.Contains(session, "expect services store [a/front@") {
		t.Errorf("%s was made as\n%s", name, session)
	}
	if err := script.NewRunner(func(script.Entry) {}).Play(session); err != nil {
		t.Errorf("the session doesn't play: %v", err)
	}
	if name, text := p.export(link.AsGoTest); name != "small_one_test.go" || !strings.Contains(text, "func TestSmallOne(t *testing.T) {") || !strings.Contains(text, session) {
		t.Errorf("%s was made as\n%s", name, text)
	}
	if name, text := p.export(link.AsControllerTest); name != "small_one_test.go" || !strings.Contains(text, "create pods a/web app=web\n") || !strings.Contains(text, "whatif.New(server)") {
		t.Errorf("%s was made as\n%s", name, text)
	}
	if _, text := p.export(link.AsCalls); strings.Count(text, "\n") != 3 || strings.Count(text, "metrics OnAdd a/web@") != 1 {
		t.Errorf("the calls are\n%s", text)
	}
	if _, text := p.export(link.AsTranscript); !strings.HasPrefix(text, "> profile classic\n> informer pods index=app\n") || !strings.Contains(text, "\n> create pods a/web app=web\n") || !strings.Contains(text, "StoreAdded a/web") {
		t.Errorf("the transcript is\n%s", text)
	}
	var spans struct{ TraceEvents []struct{ Name string } }
	if name, text := p.export(link.AsMetrics); name != "small-one.metrics.txt" || !strings.HasSuffix(text, "# EOF\n") ||
		!strings.Contains(text, "# TYPE workqueue_depth gauge\n") || !strings.Contains(text, `workqueue_depth{name="services"} 0 0.001001`) || strings.Contains(text, "informer_") {
		t.Errorf("%s has the metrics %.2000s", name, text)
	}
	if name, text := p.export(link.AsPerfetto); name != "small-one.perfetto.json.gz" || json.Unmarshal([]byte(text), &spans) != nil || len(spans.TraceEvents) < 50 {
		t.Errorf("%s was made as\n%s", name, text)
	}
	if f := p.frame(link.Fit{Window: picture.DefaultWindow}); f.Step != at {
		t.Errorf("the viewer is at step %d, and was at %d", f.Step, at)
	}
}

// Of a recording, too, texts are made slice by slice. It can be stopped, and nothing is
// saved then.
func TestTextsOfARecording(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	p.ask(link.SeekTime{Time: machine.Second}, nil)
	p.ask(link.PlayLine{Line: "break watch"}, nil)
	// The times of the metrics are the recording's, which began at 2026-11-22T22:04:46.
	if name, text := p.export(link.AsMetrics); name != "shop.metrics.txt" || !strings.Contains(text, "\nworkqueue_depth{name=\"pods\"} 0 1795385087.") {
		t.Errorf("%s has the metrics %.2000s", name, text)
	}
	if _, text := p.export(link.AsControllerTest); !strings.Contains(text, "\nbreak watch\nadvance to ") || strings.Count(text, "\nupdate pods shop/") < 20 {
		t.Errorf("the test of a controller is\n%s", text)
	}
	_, calls := p.export(link.AsCalls)
	if n := strings.Count(calls, "HandlerCalled audit"); n < 100 {
		t.Errorf("the file has %d calls of audit", n)
	}
	answers := p.ask(link.SaveText{Format: link.AsSession}, nil)
	if f := last(answers, failureOf); f == nil || f.Sentence.ID != "fail.save" || inWords(f.Reason) != "recordedRun" {
		t.Errorf("a recording was saved as a script: %+v", answers)
	}

	p.quick = 20 * machine.Millisecond // so that a slice is one look at the clock
	answers = p.ask(link.SaveText{Format: link.AsPerfetto}, nil)
	if m := last(answers, makingOf); m == nil || m.Done == 0 || m.Done > m.Total {
		t.Errorf("the page isn't told how far the text is: %+v", m)
	}
	clear(p.given)
	p.h.Handle((&link.Request{Op: link.SaveText{Format: link.AsPerfetto}}).Encode(), nil)
	if p.h.desk.jobs.Running(kindText) == nil {
		t.Fatal("the page isn't told that a text is being made")
	}
	p.ask(link.StopSaving{}, nil)
	if p.h.desk.jobs.Running(kindText) != nil || len(p.given) > 0 {
		t.Errorf("the making goes on after it was stopped, and there are %d files", len(p.given))
	}
}
