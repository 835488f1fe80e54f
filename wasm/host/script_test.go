package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	session "github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/hands"
)

const small = `# two informers and who listens
profile classic
informer pods index=app
informer services
handler metrics
handler other informer=services
exists pod a/first app=web
create pod a/web app=web
run
create service a/front
run
expect calls metrics 2
`

// asFile is a text as a file that was chosen.
func asFile(text string) *file { return &file{data: []byte(text), piece: 100} }

// last is the last of the replies that has what pick picks.
func last[T any](replies []*link.Reply, pick func(*link.Reply) *T) (out *T) {
	for _, r := range replies {
		if x := pick(r); x != nil {
			out = x
		}
	}
	return out
}

func frameOf(r *link.Reply) *link.Frame     { return news[*link.Frame](r) }
func consoleOf(r *link.Reply) *link.Console { return news[*link.Console](r) }
func lanesOf(r *link.Reply) *link.Lanes     { return news[*link.Lanes](r) }
func failureOf(r *link.Reply) *link.Failure { return news[*link.Failure](r) }
func openedOf(r *link.Reply) *link.Opened   { return news[*link.Opened](r) }

// A script may be played as a version that has no profile of its own. The page names that
// one version.
func TestScriptsSayTheirVersion(t *testing.T) {
	for _, version := range []string{"v0.25.9", "v0.28.15"} {
		o := last(newPage(t).ask(link.Open{Name: "a.txt"}, asFile("profile "+version+"\ninformer pods\nrun\n")), openedOf)
		found := slices.ContainsFunc(o.Profiles, func(x link.Profile) bool { return x.Name == o.Setup.Profile && x.Versions == version })
		if !found || len(o.Profiles) != len(machine.Profiles()) {
			t.Errorf("%s is played as %s of %+v", version, o.Setup.Profile, o.Profiles)
		}
	}
}

func TestOpensScripts(t *testing.T) {
	p := newPage(t)
	got := p.ask(link.Open{Name: "small.txt"}, asFile(small))
	o, c := last(got, openedOf), last(got, consoleOf)
	if o == nil || !o.Script || len(o.Informers) != 2 || o.Informers[1].Name != "services" {
		t.Fatalf("the script opens as %+v, with the failures %s", o, p.failures())
	}
	if c == nil || c.Failure != nil || c.Entries[0].Text != "profile classic" {
		t.Fatalf("the console has %+v", c)
	}
	f := p.frame(link.Seek{Step: 1 << 40})
	if !f.Server.Simulated || f.Server.Objects != 2 || f.Store.Objects != 2 || f.Processor.Listeners[0].Calls != 2 {
		t.Errorf("at the end the server is %+v, and %d objects are cached", f.Server, f.Store.Objects)
	}
	f = last(p.ask(link.ShowInformer{Informer: 1}, nil), frameOf)
	if f == nil || f.Server.Objects != 1 || f.Processor.Listeners[0].Name != "other" {
		t.Errorf("the other informer shows %+v", f)
	}
	commands, elsewhere := 0, 0
	for s := range f.Steps + 1 {
		f := p.frame(link.Seek{Step: s})
		if f.Actor == "nobody" {
			commands++
		}
		if f.Process.Elsewhere != "" {
			elsewhere++
		}
	}
	if commands != 2 || elsewhere < 10 {
		t.Errorf("there are %d commands, and %d steps of the informer that is not shown", commands, elsewhere)
	}
}

// engineScript is the input of one of the engine's scripts, without what it printed.
func engineScript(t testing.TB, path string) *file {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for line := range strings.Lines(string(text)) {
		if said, ok := strings.CutPrefix(line, "> "); ok {
			lines.WriteString(said)
		}
	}
	return asFile(lines.String())
}

// A goroutine that has returned is drawn as stopped, and not as one that was never started. Once
// the process has died, no goroutine is drawn as running.
func TestWhatHasEndedIsDrawnSo(t *testing.T) {
	const start, stopped, crashed, removed = link.StateStart, link.StateStopped, link.StateCrashed, link.StateRemoved
	for name, want := range map[string]struct {
		reflector, loop string
		gone            []string // of each listener
		worker          string
	}{
		"17-run-twice":         {stopped, stopped, []string{stopped, stopped}, "waiting"},
		"17-run-twice-classic": {crashed, crashed, []string{crashed}, crashed},
		"17-run-twice-late":    {crashed, crashed, []string{crashed}, crashed},
		"16-remove-handler":    {link.ReflectorWatching, link.LoopWaiting, []string{"", removed}, "waiting"},
		"01-delta-fifo-alone":  {start, start, nil, "waiting"},
		"06-processor-alone":   {start, start, []string{"", ""}, "waiting"},
	} {
		p := newPage(t)
		p.ask(link.Open{Name: name + ".txt"}, engineScript(t, "../../engine/script/testdata/"+name+".txt"))
		f := p.frame(link.Seek{Step: 0})
		if f.Reflector.State != start || f.Loop.State != start || f.Wire.State != link.WireNone {
			t.Errorf("%s: before Run the reflector is at %s, the process loop at %s and the wire at %s", name, f.Reflector.State, f.Loop.State, f.Wire.State)
		}
		for _, l := range f.Processor.Listeners {
			if l.EndState != "" {
				t.Errorf("%s: before Run %s is %s", name, l.Name, l.EndState)
			}
		}
		f = p.frame(link.Seek{Step: 1 << 40})
		var gone []string
		for _, l := range f.Processor.Listeners {
			gone = append(gone, l.EndState)
		}
		if f.Reflector.State != want.reflector || f.Loop.State != want.loop || !slices.Equal(gone, want.gone) || f.Work.Workers[0].State != want.worker {
			t.Errorf("%s: at the end the reflector is at %s, the process loop at %s, the listeners are %q and the worker is %s", name, f.Reflector.State, f.Loop.State, gone, f.Work.Workers[0].State)
		}
		if quiet := want.reflector != link.ReflectorWatching; quiet != (f.Wire.State == link.WireNone) {
			t.Errorf("%s: at the end the wire is at %s", name, f.Wire.State)
		}
	}
}

// The menus have nothing that can do nothing in the version that is run.
func TestNothingIsOfferedInVain(t *testing.T) {
	for profile, want := range map[string][]bool{"classic": {true, false, false}, "delta": {true, true, false}, "current": {true, true, true}} {
		p := newPage(t)
		p.ask(link.Open{Name: "shop"}, shop(t))
		s := described()
		s.Profile, s.Listed = profile, false
		p.ask(link.SetUp{Setup: s}, nil)
		f := p.frame(link.Seek{Step: 900})
		offered := map[string]string{}
		for _, station := range link.Stations {
			for _, g := range hands.Gestures(session.Surroundings{Trace: p.h.desk.doc.opened(), Frame: f}, station) {
				offered[g.ID] = g.Line
			}
		}
		for i, id := range []string{"refuseTombstones", "removeHandler", "withholdInitialEnd"} {
			if _, is := offered[id]; is != want[i] {
				t.Errorf("%s: that the menu has %s is %t", profile, id, is)
			}
		}
		if profile != "classic" {
			continue
		}
		// Each that is played at once does something.
		for id, line := range offered {
			if strings.Contains(line, "…") {
				continue
			}
			if c := last(p.ask(link.PlayLine{Line: line}, nil), consoleOf); c == nil || c.Failure != nil {
				t.Errorf("%s, which plays %q, leads to %+v", id, line, c)
			}
			p.frame(link.VisitLane{Lane: 0, Step: 900})
		}
	}
}

// What can't be done yet leads to a step where it can, whether the list is streamed or not; and what can be, does something.
func TestWhatWaitsLeadsToWhereItCanBeDone(t *testing.T) {
	for _, profile := range []string{"classic", "current"} {
		p := newPage(t)
		p.ask(link.Open{Name: "shop"}, shop(t))
		s := described()
		s.Profile, s.Listed = profile, false
		p.ask(link.SetUp{Setup: s}, nil)
		at := func(f *link.Frame, id string) (g hands.Gesture) {
			for _, station := range link.Stations {
				for _, x := range hands.Gestures(session.Surroundings{Trace: p.h.desk.doc.opened(), Frame: f}, station) {
					if x.ID == id {
						return x
					}
				}
			}
			return g
		}
		for step := range int64(24) {
			for _, id := range []string{"breakWatch", "startAgain"} {
				g := at(p.frame(link.Seek{Step: step}), id)
				if g.Until != "" {
					f := p.frame(link.RunTo{Expr: g.Until})
					if g = at(f, id); f.Step <= step || g.Until != "" {
						t.Errorf("%s: %s waits at step %d for what comes at step %d, and there for %q", profile, id, step, f.Step, g.Until)
					}
				}
				if c := last(p.ask(link.PlayLine{Line: g.Line}, nil), consoleOf); c == nil || c.Failure != nil {
					t.Errorf("%s: %s, of step %d, leads to %+v", profile, id, step, c)
				}
				p.frame(link.VisitLane{Lane: 0, Step: step})
			}
		}
	}
}

// Every script of the engine's opens, and is shown at every step.
func TestOpensEveryScript(t *testing.T) {
	files, err := filepath.Glob("../../engine/script/testdata/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatal("no scripts", err)
	}
	for i, name := range files {
		if testing.Short() && i%20 > 0 {
			continue
		}
		p := newPage(t)
		got := p.ask(link.Open{Name: name}, engineScript(t, name))
		o := last(got, openedOf)
		if o == nil {
			t.Errorf("%s is not opened: %s", name, p.failures())
			continue
		}
		for i := range o.Informers {
			p.ask(link.ShowInformer{Informer: i}, nil)
			f := p.frame(link.Seek{Step: 0})
			for s := range min(f.Steps, 400) {
				p.frame(link.Seek{Step: s + 1})
			}
			p.ask(link.DrawTimeline{Axis: link.ByStep, Buckets: 100}, nil)
		}
	}
}

func TestSaysWhereAScriptIsWrong(t *testing.T) {
	p := newPage(t)
	got := p.ask(link.Open{Name: "wrong.txt"}, asFile(small+"expect calls metrics 9\n"))
	c := last(got, consoleOf)
	if c == nil || c.Failure == nil || c.Failure.Line != 13 || c.Failure.Text != "expect calls metrics 9" || last(got, frameOf) == nil {
		t.Errorf("the console has %+v, and the frame is %v", c, last(got, frameOf))
	}
	got = p.ask(link.Open{Name: "never.txt"}, asFile("informer pods\nbogus\n"))
	if f := last(got, failureOf); f == nil || !strings.HasPrefix(inWords(f.Reason), "at 1 2 ") {
		t.Errorf("a wrong script fails with %+v", f)
	}
}

// What is done in the past makes another future, and leaves the old one as it was.
func TestLinesMakeLanes(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	end := shownBy(p.frame(link.Seek{Step: 1 << 40}))
	at := p.frame(link.SeekTime{Time: 6 * machine.Second})
	if at.Server.Simulated {
		t.Fatal("a recording is simulated")
	}
	got := p.ask(link.PlayLine{Line: "create pods shop/new app=new"}, nil)
	f, l := last(got, frameOf), last(got, lanesOf)
	if f == nil || f.Step != at.Step+1 || f.Actor != "nobody" || f.Sentence.ID != "step.objectWrittenAdded" || f.Reason == nil || !f.Server.Simulated {
		t.Fatalf("after the command the frame is %+v, with the failures %s", f, p.failures())
	}
	if l == nil || len(l.List) != 2 || l.Shown != 1 || l.List[1].BranchStep != at.Step || l.List[1].Simulated != at.Step+1 || !l.Undo || !slices.Equal(l.List[1].Lines, []string{"create pods shop/new app=new"}) {
		t.Fatalf("the lanes are %+v", l)
	}
	f = p.frame(link.Seek{Step: 1 << 40})
	if f.Store.Objects != at.Server.Objects && !slices.ContainsFunc(f.Store.Tiles, func(t link.Tile) bool { return t.Key == "shop/new" }) {
		t.Errorf("the new pod is not in the cache")
	}
	// More at the end goes on in the same lane.
	l = last(p.ask(link.PlayLine{Line: "delete pods shop/new"}, nil), lanesOf)
	if l == nil || len(l.List) != 2 || len(l.List[1].Lines) != 2 {
		t.Fatalf("the lanes are %+v", l)
	}
	l = last(p.ask(link.Undo{}, nil), lanesOf)
	if l == nil || len(l.List[1].Lines) != 1 || !l.Redo {
		t.Fatalf("the lanes are %+v", l)
	}
	// The old future is what it was.
	l = last(p.ask(link.ShowLane{Lane: 0}, nil), lanesOf)
	if l == nil || l.Shown != 0 {
		t.Fatalf("the lanes are %+v", l)
	}
	if got := shownBy(p.frame(link.Seek{Step: 1 << 40})); got != end {
		t.Errorf("the recording's end has become\n%s\nand was\n%s", got, end)
	}
	// Switching keeps the moment.
	p.frame(link.Seek{Step: at.Step})
	if f = last(p.ask(link.VisitLane{Lane: 1, Step: 17}, nil), frameOf); f == nil || f.Step != 17 {
		t.Errorf("the moment in the other future is %+v", f)
	}
	if f = last(p.ask(link.VisitLane{Lane: 0, Step: at.Step}, nil), frameOf); f == nil || f.Step != at.Step || f.Server.Simulated {
		t.Errorf("the moment in the first future is %+v", f)
	}
	f = last(p.ask(link.ShowLane{Lane: 1}, nil), frameOf)
	if f == nil || f.Step != at.Step {
		t.Errorf("the other lane is shown at %+v", f)
	}
	l = last(p.ask(link.Undo{}, nil), lanesOf)
	if l == nil || len(l.List) != 1 || l.Undo {
		t.Fatalf("after all was taken back, the lanes are %+v", l)
	}
}

// What is done again leads to its own moment, however far its future was run meanwhile.
func TestRedoGoesWhereTheDeedWent(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	p.frame(link.Seek{Step: 1712})
	for i, line := range []string{"break watch", "create pods shop/new", "update pods shop/new"} {
		before := p.frame(link.Fit{Window: picture.DefaultWindow})
		done := last(p.ask(link.PlayLine{Line: line}, nil), frameOf)
		if done == nil || done.Step != before.Step+1 {
			t.Fatalf("%s leads to %+v: %s", line, done, p.failures())
		}
		for range 2 {
			if back := last(p.ask(link.Undo{}, nil), frameOf); back.Step != before.Step {
				t.Errorf("%s is taken back to step %d and not %d", line, back.Step, before.Step)
			}
			again := last(p.ask(link.Redo{}, nil), frameOf)
			if again.Step != done.Step || again.Steps <= done.Step {
				t.Errorf("deed %d, %s, leads to step %d of %d when it is done again, and led to %d", i, line, again.Step, again.Steps, done.Step)
			}
		}
	}
	// Taking a future away again goes nowhere else than it did at first.
	p.frame(link.VisitLane{Lane: 0, Step: 900})
	p.ask(link.DropLane{Lane: 1}, nil)
	p.ask(link.Undo{}, nil)
	p.frame(link.VisitLane{Lane: 0, Step: 901})
	if f := last(p.ask(link.Redo{}, nil), frameOf); f == nil || f.Step != 901 {
		t.Errorf("when the other future is taken away again, the stage is at %+v: %s", f, p.failures())
	}
}

func TestLinesThatChangeNothing(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "small.txt"}, asFile(small))
	at := p.frame(link.Seek{Step: 20})
	for line, want := range map[string]string{"show store": "= ", "expect queue []": "", "step 5": ""} {
		got := p.ask(link.PlayLine{Line: line}, nil)
		c, f := last(got, consoleOf), last(got, frameOf)
		if c == nil || c.Failure != nil && want != "" || last(got, lanesOf) != nil {
			t.Errorf("%s: the console has %+v, and the lanes are %+v", line, c, last(got, lanesOf))
		}
		if line == "step 5" && (f == nil || f.Step != at.Step+5) {
			t.Errorf("%s goes to %+v", line, f)
		}
		p.frame(link.Seek{Step: 20})
	}
	for _, line := range []string{"bogus", "create pod", "delete pod a/none", "informer more", "expect store [nothing]"} {
		got := p.ask(link.PlayLine{Line: line}, nil)
		if c := last(got, consoleOf); c == nil || c.Failure == nil || c.Failure.Reason == nil || c.Failure.Col == 0 || last(got, lanesOf) != nil {
			t.Errorf("%q leads to %+v", line, c)
		}
	}
}

// What is saved of a script is a script that makes the same run.
func TestSavesScripts(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "small.txt"}, asFile(small))
	p.frame(link.Seek{Step: 30})
	p.ask(link.PlayLine{Line: "break watch"}, nil)
	want := shownBy(p.frame(link.Seek{Step: 1 << 40}))
	text, err := p.h.desk.doc.script.Written()
	if err != nil {
		t.Fatal(err)
	}
	again := newPage(t)
	again.ask(link.Open{Name: "again.txt"}, asFile(text))
	if got := shownBy(again.frame(link.Seek{Step: 1 << 40})); got != want {
		t.Errorf("%s\nends as\n%s\nand not\n%s", text, got, want)
	}
}

// A script that never ends is run a good way ahead of the viewer, and further when the
// viewer comes there.
func TestAScriptWithoutEnd(t *testing.T) {
	p := newPage(t)
	got := p.ask(link.Open{Name: "endless.txt"}, asFile("informer pods\nfail requests internal n=all\nadvance 10s\n"))
	if done := last(got, func(r *link.Reply) *link.Progress { return news[*link.Progress](r) }); done == nil || done.Phase != link.Done {
		t.Fatalf("the progress of running it is %+v", done)
	}
	f := p.frame(link.Seek{Step: 10})
	if f.Complete || f.Steps < machine.MaxAhead || f.Steps > 2*machine.MaxAhead {
		t.Fatalf("%d steps are known, complete: %v", f.Steps, f.Complete)
	}
	end := f.Steps
	if f = p.frame(link.Seek{Step: end}); f.Step != end {
		t.Fatalf("the end is %d, not %d", f.Step, end)
	}
	if f = p.frame(link.Step{Unit: link.Micro, N: 5}); f.Step != end+5 {
		t.Errorf("five steps on is %d, not %d", f.Step, end+5)
	}
}
