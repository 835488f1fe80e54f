package host

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

var update = flag.Bool("update", false, "rewrite testdata/life.txt")

// named returns the constants of the group that begins with first, and the comments
// behind them.
func named(t *testing.T, file, first string) (names, comments []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST || g.Specs[0].(*ast.ValueSpec).Names[0].Name != first {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			names = append(names, v.Names[0].Name)
			comments = append(comments, strings.TrimSpace(v.Comment.Text()))
		}
		return names, comments
	}
	t.Fatalf("%s declares no %s", file, first)
	return nil, nil
}

// TestLife prints the states of a capture and of the pump, for people to read.
func TestLife(t *testing.T) {
	states, means := named(t, "life.go", "opening")
	triggers, when := named(t, "life.go", "onPiece")
	actions, does := named(t, "life.go", "doNothing")
	var b strings.Builder
	b.WriteString("# The life of a capture: its states, and what each trigger makes of them.\n")
	for s := opening; s < numStates; s++ {
		fmt.Fprintf(&b, "\n%s: %s\n", states[s-1], means[s-1])
		for on, to := range life[s] {
			if to.to == 0 || to.to == s && to.action == doNothing {
				continue
			}
			line := fmt.Sprintf("  %s, %s → %s", triggers[on], when[on], states[to.to-1])
			if to.action != doNothing {
				line += ": " + does[to.action]
			}
			b.WriteString(line + "\n")
		}
		var late []string
		for on, to := range life[s] {
			if to.to == s && to.action == doNothing {
				late = append(late, triggers[on])
			}
		}
		if late != nil {
			fmt.Fprintf(&b, "  changes nothing: %s\n", strings.Join(late, " "))
		}
	}
	paceNames, paceMeans := named(t, "pump.go", "idle")
	beats, beatWhen := named(t, "pump.go", "onWork")
	b.WriteString("\n# The pump, which runs the capture shown.\n")
	for s := range numPaces {
		fmt.Fprintf(&b, "\n%s: %s\n", paceNames[s], paceMeans[s])
		for on, to := range paces[s] {
			if to != s {
				fmt.Fprintf(&b, "  %s, %s → %s\n", beats[on], beatWhen[on], paceNames[to])
			}
		}
	}
	if !slices.Equal(states[:len(states)-1], stateNames[1:]) || !slices.Equal(triggers[:len(triggers)-1], triggerNames[:]) {
		t.Errorf("the names are %q and %q", stateNames, triggerNames)
	}
	if len(states) != int(numStates) || len(triggers) != int(numTriggers)+1 || len(actions) != int(numActions)+1 {
		t.Error("constants are missing from the table")
	}
	const golden = "testdata/life.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != b.String() {
		t.Errorf("%v; go test -update writes what it is now:\n%s", err, b.String())
	}
}

// walk does at random what viewers, files and clusters may do.
type walk struct {
	*page
	r     *rand.Rand
	files []*file
}

// lines returns the first n lines of the shop's recording.
func lines(t testing.TB, n int) []byte {
	data := shop(t).data
	at := 0
	for range n {
		at += bytes.IndexByte(data[at:], '\n') + 1
	}
	return data[:at]
}

// misreadable changes a recording so that a glance misreads it.
func misreadable(data []byte) []byte {
	at := bytes.LastIndex(data, []byte(`"type":"MODIFIED"`))
	at += bytes.Index(data[at:], []byte(`,"spec":{`))
	return slices.Concat(data[:at], []byte(`,"kind":"Node"`), data[at:])
}

func (w *walk) open(f *file) { w.hand(link.Open{Name: "a capture"}, f) }

func (w *walk) hand(op link.Op, f *file) {
	f.piece, f.inMemory = 1+w.r.IntN(len(f.data)), w.r.IntN(30)
	if w.r.IntN(4) == 0 {
		f.worn = io.ErrUnexpectedEOF
	}
	w.files = append(w.files, f)
	w.h.Handle((&link.Request{ID: w.id, Op: op}).Encode(), []browser.Input{f})
}

// piece hands over the next piece of one of the files.
func (w *walk) piece() {
	if w.converted != nil {
		w.files = append(w.files, w.converted)
		w.converted = nil
	}
	var can []*file
	for _, f := range w.files {
		for ; f != nil; f = f.again {
			if f.chunk != nil && !f.over && !f.held && !f.ended {
				can = append(can, f)
			}
		}
	}
	if len(can) == 0 {
		return
	}
	f := can[w.r.IntN(len(can))]
	if f.read == len(f.data) {
		f.ended = true
		f.end(f.fails)
		return
	}
	n := min(f.piece, len(f.data)-f.read)
	f.read += n
	f.chunk(f.data[f.read-n:f.read], int64(f.read))
}

// answers answers one of the requests to the cluster.
func (w *walk) answers() {
	i := slices.IndexFunc(w.server, func(r *asked) bool { return !r.over })
	if i < 0 {
		return
	}
	r := w.server[i]
	rv := fmt.Sprint(100 + w.id)
	if strings.Contains(r.url, "opened/live/") {
		w.pipes(r)
		return
	}
	switch watch := strings.Contains(r.url, "watch=true"); {
	case !watch:
		r.over = true
		r.Head(200, "application/json", "")
		r.Data([]byte(`{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"` + rv + `"},"items":[` + configMap("a", rv) + `]}`))
		r.End(nil)
	case w.r.IntN(4) == 0:
		r.over = true
		r.Head(200, "application/json", "")
		r.End(nil)
	default:
		r.Head(200, "application/json", "")
		r.Data([]byte(`{"type":"MODIFIED","object":` + configMap("a", rv) + "}\n"))
	}
}

// pipes lets another program write on, or end.
func (w *walk) pipes(r *asked) {
	if r.data == nil {
		r.data = [][]byte{lines(w.t, 40), []byte(list + "\n" + list + "\n"), []byte(worked), []byte("never seen")}[w.r.IntN(4)]
		r.Head([]int{200, 200, 200, 401}[w.r.IntN(4)], "application/octet-stream", "")
	}
	if len(r.data) == 0 || w.r.IntN(5) == 0 {
		r.over = true
		r.End([]error{nil, io.ErrUnexpectedEOF}[w.r.IntN(2)])
		return
	}
	n := 1 + w.r.IntN(len(r.data))
	b := r.data[:n]
	r.data = r.data[n:]
	r.Data(b)
}

// worked has a reconcile, so it is shown when all of it has come.
const worked = `{"informerscope":"trace","version":1}
{"t":0,"id":1,"reconcile":{"controller":"web","key":"a","worker":1}}
{"t":0,"id":2,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":1,"id":2,"resp":{"status":200,"contentType":"application/json"}}
{"t":2,"id":2,"body":` + list + `}
{"t":2,"id":2,"end":{"how":"eof"}}
`

// list is a capture. The page's reader takes no second list after it.
const list = `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a","uid":"1","resourceVersion":"1"}}]}`

func (w *walk) step(good, misread []byte) {
	w.id++
	ask := func(op link.Op) { w.h.Handle((&link.Request{ID: w.id, Op: op}).Encode(), nil) }
	unknown := func() {
		w.open(&file{data: []byte("never seen"), fails: []error{nil, io.ErrUnexpectedEOF}[w.r.IntN(2)]})
	}
	switch n := w.r.IntN(100); {
	case n < 6 && w.h.desk.opening != nil && w.h.desk.opening.state.isSecondReading():
		unknown()
	case n < 1:
		w.open(&file{data: good})
	case n < 3 || n < 6 && w.h.desk.doc != nil && w.h.desk.doc.state == settled:
		w.open(&file{data: misread})
	case n < 4:
		unknown()
	case n < 5: // it may be shown before the second list comes
		data := []byte(list + "\n" + list + "\n")
		if w.r.IntN(2) == 0 {
			w.open(&file{data: data})
			break
		}
		f := &file{data: data, piece: 1 + w.r.IntN(len(data))}
		w.site, w.files = f, append(w.files, f)
		ask(link.Open{URL: "somewhere"})
	case n < 6:
		w.open(&file{data: []byte(list)})
	case n < 7:
		w.open(&file{data: good[:w.r.IntN(len(good))], fails: io.ErrUnexpectedEOF})
	case n < 8:
		w.h.clusters.found = &cluster{prefix: "http://here", resources: []follow.Resource{{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true}}}
		ask(link.FollowCluster{Follow: link.Follow{Resources: []string{"configmaps"}}})
	case n < 9:
		ask(link.Open{URL: address.FileURL("opened/live/pods.trace.jsonl")})
	case n < 10:
		ask(link.Cancel{})
	case n < 11:
		setup := machine.DefaultSetup()
		setup.Workers = w.r.IntN(3)
		ask(link.SetUp{Setup: setup})
	case n < 12:
		ask(link.ShowInformer{Informer: w.r.IntN(3)})
	case n < 16:
		ask(link.Seek{Step: int64(w.r.IntN(3000))})
	case n < 20:
		ask(link.Painted{})
	case n < 22:
		w.hand(link.SecondCapture{Name: "a capture"}, []*file{{data: good}, {data: []byte("never seen"), fails: io.ErrUnexpectedEOF}, {data: []byte(list + "\n" + list + "\n")}, {data: []byte("informer pods\nhandler a\n")}}[w.r.IntN(4)])
	case n < 23 && w.h.second.current != nil:
		ask(link.HideSecond{})
	case n < 35:
		w.pass(w.r.Int64N(settleAfter))
	case n < 45:
		w.answers()
	case n < 70 && len(w.turns) > 0:
		f := w.turns[0]
		w.turns = w.turns[1:]
		f()
	default:
		w.piece()
	}
}

// TestWalk lets random things happen to captures. No trigger comes in a state that
// doesn't have it, what is shown and what is being opened are in the right states,
// and every transition is taken.
func TestWalk(t *testing.T) {
	states, _ := named(t, "life.go", "opening")
	triggers, _ := named(t, "life.go", "onPiece")
	taken := [numStates][numTriggers]int{}
	watched := func(p *page) *page {
		p.h.desk.watch = func(s state, on trigger) {
			taken[s][on]++
		}
		return p
	}
	for _, then := range []func(*page){
		func(p *page) { p.ask(link.Cancel{}, nil) },
		func(p *page) { p.ask(link.Open{}, shop(t)) },
		func(p *page) { p.ask(link.Open{}, &file{data: []byte("never seen"), piece: 4}) },
		func(p *page) { p.pass(10 * machine.Second) },
	} {
		p, _ := catchesUp(t, watched(newPage(t)))
		then(p)
		p.pass(machine.Second)
	}
	good := lines(t, 121)
	bad := misreadable(good)
	never := func() (all []string) {
		for s := opening; s < numStates; s++ {
			for on := range numTriggers {
				if life[s][on].to != 0 && taken[s][on] == 0 {
					all = append(all, triggers[on]+" comes to a document that is "+states[s-1])
				}
			}
		}
		return all
	}
	least, most := uint64(20), uint64(1000)
	if testing.Short() {
		least, most = 3, 3
	}
	for seed := uint64(0); seed < least || seed < most && len(never()) > 0; seed++ {
		w := &walk{page: watched(newPage(t)), r: rand.New(rand.NewPCG(seed, 1))}
		w.hidden = true
		for range 300 {
			w.step(good, bad)
			if o := w.h.desk.opening; o != nil && !slices.Contains([]state{opening, joining, rereading, catchingUp}, o.state) {
				t.Fatalf("seed %d: what is %s is being opened", seed, states[o.state-1])
			}
			if d := w.h.desk.doc; d != nil && !slices.Contains([]state{reading, following, running, resting, tidying, checking, settled, misread}, d.state) {
				t.Fatalf("seed %d: what is %s is shown", seed, states[d.state-1])
			}
			if d := w.h.desk.doc; d == nil && w.h.pump.state != idle || w.h.pump.state == painting && d.stored == nil {
				t.Fatalf("seed %d: the pump has nothing to hold back", seed)
			}
		}
		if t.Failed() {
			t.Fatalf("the walk of seed %d has failed, as said above", seed)
		}
	}
	if all := never(); all != nil && !testing.Short() {
		t.Errorf("never happens: %s", strings.Join(all, ", "))
	}
}

// catchesUp opens a capture that the glance misreads, goes to its end, and lets the
// second reading come to its end. What was read then has yet to be run.
func catchesUp(t *testing.T, p *page) (*page, *file) {
	f := &file{data: misreadable(shop(t).data)}
	f.piece = len(f.data)
	p.ask(link.Open{}, f)
	p.ask(link.ShowInformer{Informer: 0}, nil) // it has the most steps
	p.frame(link.Seek{Step: 1 << 40})
	p.pass(settleAfter + pauseBetween)
	for p.h.desk.opening == nil {
		p.pass(pauseBetween)
		f.again.pump()
	}
	p.quick = 2 * slice // so that each slice is a short one
	for f.again.pump(); p.h.desk.opening.state == rereading; f.again.pump() {
		p.settle() // the page paints how far it is
	}
	return p, f
}

// The second reading is shown once it was run to the viewer's step. Its first step is
// never shown for a moment.
func TestTheSecondReadingShowsNoOtherStep(t *testing.T) {
	p, _ := catchesUp(t, newPage(t))
	old := p.h.desk.doc
	step := old.run().History().World().Steps()
	if f := p.frame(link.Step{Unit: link.Micro, N: -1}); f.Step != step-1 {
		t.Errorf("back from %d: %d", step, f.Step)
	}
	p.replies = nil
	p.settle()
	if p.h.desk.doc == old {
		t.Fatal("the second reading isn't shown")
	}
	for _, r := range p.replies {
		if news[*link.Frame](r) != nil && news[*link.Frame](r).Step != step-1 {
			t.Errorf("step %d is shown", news[*link.Frame](r).Step)
		}
	}
}

// A viewer who cancels the second reading is told that the first one was misread.
func TestWhoCancelsTheSecondReadingIsTold(t *testing.T) {
	p, _ := catchesUp(t, newPage(t))
	old := p.h.desk.doc
	p.ask(link.Cancel{}, nil)
	if got := p.failures(); got != "fail.misread: " || p.h.desk.doc != old || p.h.desk.opening != nil {
		t.Errorf("it says %q", got)
	}
	if o := old.opened(); len(o.Problems) != 1 || o.Problems[0].Sentence.ID != "fail.misread" {
		t.Errorf("the problems of a misread capture are %+v", o.Problems)
	}
	p.replies = nil
	if p.pass(10 * machine.Second); p.h.desk.opening != nil {
		t.Error("it is read again, all the same")
	}
}

// The console is told each state that a capture comes into, and by what. The report of a problem has it.
func TestLifeIsTold(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	p.pass(10 * machine.Second)
	want := []string{"opening onReady reading", "reading onEnd running", "running onRan resting", "resting onRested tidying", "tidying onTidied checking"}
	for i := range want {
		want[i] = "life of 1: " + want[i]
	}
	if !slices.Equal(p.sentences, want) {
		t.Errorf("the console is told %q", p.sentences)
	}
}

// A trigger that a state doesn't have changes nothing, and the console is told both.
func TestTheImpossibleIsTold(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	p.pass(10 * machine.Second)
	for s := opening; s < numStates; s++ {
		for on := range numTriggers {
			if life[s][on].to != 0 {
				continue
			}
			states := []string{}
			p.complaints = &states
			p.replies, p.h.desk.doc.state = nil, s
			p.h.desk.happen(p.h.desk.doc, occasion{trigger: on})
			want := "impossible: " + triggerNames[on] + " comes to a capture that is " + stateNames[s]
			if !slices.Equal(states, []string{want}) || p.h.desk.doc.state != s || p.replies != nil {
				t.Fatalf("the console is told %q, and not %q; it is %s, and the page is told %v", states, want, stateNames[p.h.desk.doc.state], p.replies)
			}
		}
	}
}
