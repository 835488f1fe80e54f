package host

import (
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// linked is the way to what the page shows.
func (p *page) linked() *link.Linked {
	p.t.Helper()
	for _, r := range p.ask(link.MakeLink{}, nil) {
		if news[*link.Linked](r) != nil {
			return news[*link.Linked](r)
		}
	}
	p.t.Fatalf("there is no link, but %s", p.failures())
	return nil
}

// travel goes a way, and returns what is shown then.
func (p *page) travel(q link.Travel) (*link.Traveled, *link.Frame) {
	p.t.Helper()
	var result *link.Traveled
	var f *link.Frame
	for _, r := range p.ask(q, nil) {
		if news[*link.Traveled](r) != nil {
			result = news[*link.Traveled](r)
		}
		if news[*link.Frame](r) != nil && r.ID == p.id {
			f = news[*link.Frame](r)
		}
	}
	if result == nil || f == nil {
		p.t.Fatalf("it tells %+v and shows %v, with %s", result, f, p.failures())
	}
	return result, f
}

const aScript = `profile classic
informer pods index=app
handler metrics
handler audit takes=20ms
create pod default/a app=a
create pod default/b app=b
advance 30s
update pod default/a app=c
advance 30s
`

// aRelist is a script in which a list takes an object out of the cache.
const aRelist = `gate WatchListClient off
informer pods
handler metrics
exists pod default/a
exists pod default/b
run
advance 2s
restart server down=1s
delete pod default/b
update pod default/a
create pod default/c
create pod default/d
advance 30s
update pod default/a
advance 1s
`

// opened are ways to open a script and a recording on a page.
func opened(t *testing.T) map[string]func(p *page) {
	return map[string]func(p *page){
		"a script": func(p *page) { p.ask(link.Open{Text: aScript}, nil) },
		"a trace":  func(p *page) { p.ask(link.Open{}, shop(t)) },
	}
}

// Whatever was done to a machine, a link leads to the same future and the same step on a page
// that has just opened the same thing.
func TestALinkLeadsBack(t *testing.T) {
	lines := []string{"break watch pods", "advance 10s", "takes audit 1s", "compact", "fail requests expired", "handler more", "run random 3", "resync"}
	for name, open := range opened(t) {
		seeds := uint64(12)
		if testing.Short() {
			seeds = 3
		}
		for seed := range seeds {
			r := actor.Rand(seed)
			p := newPage(t)
			open(p)
			f := p.frame(link.Seek{Step: 0})
			for range 1 + r.Intn(5) {
				p.frame(link.Seek{Step: int64(r.Intn(int(f.Steps) + 1))})
				f = p.frame(link.PlayLine{Line: lines[r.Intn(len(lines))]})
				if r.Intn(4) == 0 {
					f = p.frame(link.ShowLane{Lane: 0})
				}
			}
			p.frame(link.Seek{Step: int64(r.Intn(int(f.Steps) + 1))})
			want := p.linked()
			if name == "a script" && want.Text != aScript || want.Problem != nil {
				t.Fatalf("%s, seed %d: the link has %+v", name, seed, want)
			}

			again := newPage(t)
			open(again)
			result, _ := again.travel(link.Travel{Path: want.Path})
			window := link.Fit{Window: picture.DefaultWindow} // both have run to their ends
			got, f := again.frame(window), p.frame(window)
			if result.Lost || result.Failure != nil {
				t.Fatalf("%s, seed %d: it tells %+v of the way %+v", name, seed, result, want.Path)
			}
			if a, b := shownBy(got), shownBy(f); a != b {
				t.Fatalf("%s, seed %d: %+v leads to\n%s\nand not to\n%s", name, seed, want.Path, a, b)
			}

			// It leads there, too, where the run is open and something else was done.
			p.frame(link.Seek{Step: int64(r.Intn(int(f.Steps) + 1))})
			p.frame(link.PlayLine{Line: lines[r.Intn(len(lines))]})
			p.travel(link.Travel{Path: want.Path})
			if a, b := shownBy(p.frame(window)), shownBy(f); a != b {
				t.Fatalf("%s, seed %d: where it is open, %+v leads to\n%s\nand not to\n%s", name, seed, want.Path, a, b)
			}
		}
	}
}

// The object that was inspected is inspected again.
func TestALinkHasASelection(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	f := p.frame(link.SeekTime{Time: 6 * machine.Second})
	tile := f.Store.Tiles[1]
	result, _ := p.travel(link.Travel{Path: p.linked().Path, Key: tile.Key, RV: tile.RV})
	var object *link.Object
	for _, r := range p.replies {
		if news[*link.Object](r) != nil {
			object = news[*link.Object](r)
		}
	}
	if result.Lost || object == nil || object.Key != tile.Key || object.RV != tile.RV {
		t.Errorf("the way went %+v, and the object is %+v", result, object)
	}
	if result, _ := p.travel(link.Travel{Key: "shop/nobody", RV: "1"}); !result.Lost {
		t.Error("it doesn't say that there is no such object")
	}
}

// A moment that isn't there any more leads to the step that it had, and the
// page is told so. A line that can't be played ends it, and what came before
// stays.
func TestALinkThatIsOutOfDate(t *testing.T) {
	p := newPage(t)
	open := func() { p.ask(link.Open{Text: aScript}, nil) }
	for _, when := range []string{"3.1.loop.Nothing", "999.1.loop.Popped", "<b>", "3.99999.loop.Popped"} {
		open()
		result, f := p.travel(link.Travel{Path: []link.PathStep{{Moment: when, Step: 7}}})
		if !result.Lost || f.Step != 7 {
			t.Errorf("%s leads to step %d, %+v", when, f.Step, result)
		}
	}
	open()
	result, f := p.travel(link.Travel{Path: []link.PathStep{{Step: 1 << 50}}})
	if !result.Lost || f.Step != f.Steps {
		t.Errorf("a step far out leads to %d of %d, %+v", f.Step, f.Steps, result)
	}
	open()
	result, f = p.travel(link.Travel{Path: []link.PathStep{{Step: 20, Line: "break watch pods"}, {Step: -1, Line: "takes nobody 1s"}, {Step: -1, Line: "compact"}, {Step: 21}}})
	if result.Failure == nil || result.Failure.Text != "takes nobody 1s" || f.Step != 21 {
		t.Errorf("it tells %+v at step %d", result.Failure, f.Step)
	}
	if lanes := p.linked(); len(lanes.Path) != 3 || !strings.HasPrefix(lanes.Path[1].Line, "break watch") {
		t.Errorf("it keeps %+v", lanes.Path)
	}
}

// What a link holds is refused unless it is a script, a lesson or a trace of our own format.
func TestWhatALinkHolds(t *testing.T) {
	trace, err := os.ReadFile("../../web/lessons/traces/odd-events.trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	p := newPage(t)
	p.ask(link.Open{Name: "x", Text: string(trace)}, nil)
	p.pump(p.kept)
	if got := p.failures(); got != "" || p.h.desk.doc == nil || p.h.desk.doc.script != nil {
		t.Errorf("a trace isn't opened: %q", got)
	}
	p = newPage(t)
	for _, text := range []string{"{\"kind\":\"Pod\"}", "# A lesson\n\n```informerscope\ninformer pods\n```\n", "<script>alert(1)</script>", "#script=informer+pods"} {
		p.ask(link.Open{Name: "x", Text: text}, nil)
		if got := p.failures(); !strings.HasPrefix(got, "fail.open: ") || p.h.desk.doc != nil {
			t.Errorf("%.20q: failures %q", text, got)
		}
	}
}

// A file that holds a link is told to the page.
func TestALinkInAFile(t *testing.T) {
	p := newPage(t)
	for _, r := range p.ask(link.Open{}, &file{data: []byte("#library=11-resync&step=4\n"), piece: 1 << 16}) {
		if news[*link.Traveled](r) != nil && news[*link.Traveled](r).Address == "#library=11-resync&step=4" {
			return
		}
	}
	t.Errorf("it tells nothing, with %s", p.failures())
}

// A link to two futures that stand beside each other makes both again.
func TestALinkLeadsBackToTwoFutures(t *testing.T) {
	lines := []string{"break watch pods", "takes audit 1s", "compact", "fail requests expired", "handler more"}
	for name, open := range opened(t) {
		seeds := uint64(12)
		if testing.Short() {
			seeds = 3
		}
		for seed := range seeds {
			r := actor.Rand(seed)
			p := newPage(t)
			open(p)
			f := p.frame(link.Seek{Step: 0})
			for range 1 + r.Intn(3) {
				p.frame(link.Seek{Step: int64(r.Intn(int(f.Steps)))})
				p.frame(link.PlayLine{Line: lines[r.Intn(len(lines))]})
				f = p.frame(link.ShowLane{Lane: 0})
			}
			all := p.h.desk.doc.run().Lanes.All
			p.frame(link.ShowLane{Lane: all[r.Intn(len(all))].ID})
			p.showSecond(link.SecondLane{Lane: all[r.Intn(len(all))].ID})
			p.frame(link.Seek{Step: int64(r.Intn(int(f.Steps) + 1))})
			want := p.linked()

			again := newPage(t)
			open(again)
			result, _ := again.travel(link.Travel{Path: want.Path, Second: &link.SecondLane{Path: want.Second}})
			if result.Lost || result.Failure != nil {
				t.Fatalf("%s, seed %d: it tells %+v of the ways %+v and %+v", name, seed, result, want.Path, want.Second)
			}
			window := link.Fit{Window: picture.DefaultWindow} // all have run to their ends
			got, f := again.frame(window), p.frame(window)
			if got.Second == nil || shownBy(got.Second) != shownBy(f.Second) || shownBy(got) != shownBy(f) {
				t.Fatalf("%s, seed %d: by %+v and %+v it shows\n%s\nwant\n%s", name, seed, want.Path, want.Second, shownBy(got), shownBy(f))
			}
		}
	}
}

// By watch event, the sentence tells the way of the one before, and that holds: the cache has that version of the object or
// has it no more, and so many handlers were called as the micro-steps tell. By micro-step, the hand-off is told.
func TestSentencesFollowTheGrain(t *testing.T) {
	relists := 0
	ways := opened(t)
	ways["a relist"] = func(p *page) { p.ask(link.Open{Text: aRelist}, nil) }
	for name, open := range ways {
		p, micro := newPage(t), newPage(t)
		open(p)
		open(micro)
		said := map[string]int{}
		from := p.frame(link.Seek{Step: 0})
		for range 60 {
			f := p.frame(link.Step{Unit: link.WatchEvent, N: 1})
			if f.Step == from.Step {
				break
			}
			first, last := f.Sentences()
			way, ofWay := strings.CutPrefix(first.ID, "way.")
			key := first.Args["key"].V
			calls, caughtUp := 0, !slices.ContainsFunc(from.Processor.Listeners, func(l link.Listener) bool { return l.Behind > 0 })
			micro.frame(link.Seek{Step: from.Step})
			for range f.Step - from.Step {
				f := micro.frame(link.Step{N: 1})
				if f.Route != nil {
					t.Fatalf("%s: micro-step %d says %s", name, f.Step, f.Route.ID)
				}
				if strings.HasPrefix(f.Sentence.ID, "step.handlerCalled") && f.Sentence.Args["key"].V == key {
					calls++
				}
			}
			held := from.Store.Objects
			from = f
			if !ofWay {
				continue
			}
			said[way]++
			if way == "listed" {
				n := func(name string) (n int) { n, _ = strconv.Atoi(first.Args[name].V); return n }
				if f.Store.Objects != held+n("added")-n("removed") || f.Store.Objects != n("n") || n("updated") > held {
					t.Errorf("%s: at step %d it says %+v, and the cache had %d objects and has %d", name, f.Step, first.Args, held, f.Store.Objects)
				}
				relists += n("removed")
				continue
			}
			n, _ := strconv.Atoi(first.Args["n"].V)
			i := slices.IndexFunc(f.Store.Tiles, func(x link.Tile) bool { return x.Key == key })
			if strings.HasPrefix(way, "deleted") != (i < 0) || i >= 0 && f.Store.Tiles[i].RV != first.Args["rv"].V {
				t.Errorf("%s: at step %d it says %s of %s, and the cache has %+v", name, f.Step, way, key, f.Store.Tiles)
			}
			if n > calls || caughtUp && n != calls || strings.HasSuffix(way, "Told") != (n > 0) {
				t.Errorf("%s: at step %d it says that %d handlers were called with %s, and %d were", name, f.Step, n, key, calls)
			}
			if last == nil || last.ID != f.Sentence.ID {
				t.Errorf("%s: at step %d it doesn't say what the step did", name, f.Step)
			}
		}
		p.frame(link.Seek{Step: 0})
		done := map[string]int{}
		for from := int64(-1); ; {
			f := p.frame(link.Step{Unit: link.Operation, N: 1})
			if f.Step == from || f.Step > 1000 {
				break
			}
			from = f.Step
			first, last := f.Sentences()
			way, ofWay := strings.CutPrefix(first.ID, "way.")
			if !ofWay {
				continue
			}
			done[way]++
			key := first.Args["key"].V
			i := slices.IndexFunc(f.Store.Tiles, func(x link.Tile) bool { return x.Key == key })
			queued := slices.ContainsFunc(f.Queue.Rows, func(r link.Row) bool { return r.Key == key && r.Deltas[len(r.Deltas)-1].RV == first.Args["rv"].V })
			if way == "queued" && !queued || way == "written" && i < 0 || way == "removed" && i >= 0 || last == nil || last.ID != f.Sentence.ID {
				t.Errorf("%s: at step %d it says %s of %s, the queue has %+v and the cache %+v", name, f.Step, way, key, f.Queue.Rows, f.Store.Tiles)
			}
		}
		if done["queued"] == 0 || done["written"] == 0 || name == "a trace" && done["removed"] == 0 {
			t.Errorf("%s: by operation it says %v", name, done)
		}
		if said["storedTold"] == 0 || name == "a trace" && (said["storedTold"] < 10 || said["deletedTold"] == 0) {
			t.Errorf("%s: it says %v", name, said)
		}
	}
	if relists == 0 {
		t.Error("no list took anything out of the cache")
	}
}

// In each recording that the page brings along, for each of its informers, a watch event tells its way as soon as it has come
// into the cache, and a list tells its way unless the next event comes before its objects have gone theirs. The micro-steps of
// the same unit tell each hand-off on that way, from the reflector to the handler, and never a way.
func TestEachWatchEventTellsItsWay(t *testing.T) {
	odd, err := os.ReadFile("../../web/lessons/traces/odd-events.trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	recordings := map[string]*file{"odd-events": {data: odd, piece: 1 << 16}}
	for _, name := range []string{"../../web/traces/shop", "../../web/lessons/traces/gone", "../../web/lessons/traces/rollout"} {
		recordings[path.Base(name)] = recording(t, name+".trace.jsonl.gz")
	}
	ways := 0
	for name, data := range recordings {
		p, micro := newPage(t), newPage(t)
		informers := last(p.ask(link.Open{}, data), openedOf).Informers
		micro.ask(link.Open{}, &file{data: data.data, piece: data.piece})
		for i := range informers {
			p.ask(link.ShowInformer{Informer: i}, nil)
			micro.ask(link.ShowInformer{Informer: i}, nil)
			from, steps := p.frame(link.Seek{}), micro.frame(link.Seek{})
			for {
				f := p.frame(link.Step{Unit: link.WatchEvent, N: 1})
				if f.Step == from.Step {
					break
				}
				began, key := from.Sentence, from.Sentence.Args["key"].V
				says := map[string]bool{} // what sentences about the key, or about any where a list has begun, tell
				for steps.Step < f.Step {
					if steps = micro.frame(link.Step{N: 1}); steps.Route != nil {
						t.Fatalf("%s: micro-step %d of %s says %s", name, steps.Step, informers[i].Name, steps.Route.ID)
					}
					if id := steps.Sentence.ID; began.ID == "step.listReceived" || key != "" && steps.Sentence.Args["key"].V == key {
						for _, hand := range []string{"enqueued", "deltaAppended", "deltasDeduplicated", "popped", "store", "sent", "listenerNextCh", "handlerCalled"} {
							says[hand] = says[hand] || strings.HasPrefix(id, "step."+hand)
						}
					}
				}
				sentence, _ := f.Sentences()
				switch {
				case began.ID == "step.watchEventReceived" && f.Route == nil:
					if says["store"] {
						t.Errorf("%s: up to step %d of %s, %s goes into the cache, and it says %s", name, f.Step, informers[i].Name, key, sentence.ID)
					}
				case began.ID == "step.watchEventReceived":
					ways++
					called := strings.HasSuffix(sentence.ID, "Told")
					if !strings.HasPrefix(sentence.ID, "way.") || sentence.Args["key"].V != key || sentence.Args["rv"].V != began.Args["rv"].V || sentence.Args["delta"].V != began.Args["delta"].V {
						t.Errorf("%s: step %d of %s says %+v of the event of %+v", name, f.Step, informers[i].Name, sentence, began)
					}
					if !(says["enqueued"] || says["deltaAppended"] || says["deltasDeduplicated"]) || !says["popped"] || !says["store"] || !says["sent"] || called && !(says["listenerNextCh"] && says["handlerCalled"]) {
						t.Errorf("%s: up to step %d of %s it says %s of %s, and its micro-steps tell these hand-offs only: %v", name, f.Step, informers[i].Name, sentence.ID, key, says)
					}
				case began.ID == "step.listReceived" && f.Queue.Depth == 0 && f.Loop.State == link.LoopWaiting && says["sent"]:
					if sentence.ID != "way.listed" {
						t.Errorf("%s: at step %d of %s a list has gone through the queue, and it says %s", name, f.Step, informers[i].Name, sentence.ID)
					}
				}
				from = f
			}
		}
	}
	if ways < 600 {
		t.Errorf("%d watch events tell their way", ways)
	}
}
