package ask_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
)

// eachRun calls f with the run of each script of engine/script/testdata, and with
// random ones.
func eachRun(t *testing.T, f func(name string, h *history.History)) {
	t.Helper()
	files, err := filepath.Glob("../script/testdata/*.txt")
	if err != nil || len(files) < 50 {
		t.Fatal("no scripts", err)
	}
	seeds := uint64(12)
	if testing.Short() {
		seeds = 2
		files = everyNth(files, 4)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := script.NewRunner(func(script.Entry) {})
		for line := range strings.Lines(string(text)) {
			if line, ok := strings.CutPrefix(strings.TrimSpace(line), "> "); ok && !strings.HasPrefix(line, "can ") {
				r.Line(line, 1) // a line that is refused here is refused in the golden file, too
			}
		}
		if h := r.History(); h != nil {
			f(filepath.Base(name), h)
		}
	}
	for seed := range seeds {
		name, h := randomRun(t, seed)
		f(name, h)
	}
}

// everyNth is each nth of all.
func everyNth[E any](all []E, n int) (some []E) {
	for part := range slices.Chunk(all, n) {
		some = append(some, part[0])
	}
	return some
}

// randomRun is a run of random commands under a random schedule. A failure has its seed.
func randomRun(t *testing.T, seed uint64) (string, *history.History) {
	rand := actor.Rand(seed)
	r := script.NewRunner(func(script.Entry) {})
	profile := []string{"classic", "delta", "ordered", "batched", "current"}[rand.Intn(5)]
	for _, line := range []string{
		"profile " + profile, "seed " + strconv.FormatUint(seed+1, 10), "informer pods resync=2s work=3ms writes=ready=yes", "informer services",
		"handler metrics", "handler audit takes=5ms workqueue", "handler svc informer=services", "create pod default/web", "create service default/web",
	} {
		if err := r.Line(line, 1); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, line, err)
		}
	}
	lines := []string{
		"update pod default/web", "create pod default/db", "delete pod default/db", "update service default/web", "break watch", "compact", "advance 3s", "run random 1",
		"step 20", "run", "restart server down=1s", "handler late takes=1ms from=1s", "fail requests expired", "drop event", "takes audit 50ms", "mend handler audit", "kill process",
	}
	for range 40 {
		r.Line(lines[rand.Intn(len(lines))], 1) // the line may have nothing to do
	}
	return "seed " + strconv.FormatUint(seed, 10) + " " + profile, r.History()
}

// questions are the expressions that the laws ask.
var questions = []string{
	"pop()", `pop("default/web")`, `delta("Updated", "default/web")`, "delta()", "call()", `call("audit", "OnUpdate")`, `call("", "", "default/web")`,
	`watchEvent("ADDED")`, "watchEvent()", "tombstone()", "list()", "resync()", "reconcile()", "write()", "panic()", `fact("LockWaits")`, `fact("ListenerPending", "", "audit")`,
	"synced()", `synced("audit")`, "services.synced()", "behind() > 1", `behind("audit") == 0`, "pending() > 0", `calls("audit") > 2`, "depth() > 1", `queued("default/web")`,
	`cached("default/web")`, "objects() == 1", `version("default/web") > 1`, "workqueue() > 0", "lastSyncResourceVersion() > 1", "backoff() > 0s", "stopped()", "crashed()", "leaders() > 1", "leads()",
	`actor() == "loop"`, `actor() in ["reflector", "nobody"]`, "time() > 1s", "step() > 30 && step() <= 60", "pop() || call()", "pop() && depth() > 0", "!pop() && synced()",
	`time() - 1s < 20ms`, `-behind() < -1`, `synced() == stopped()`, `actor() != "run" && !delta()`,
	strings.Repeat(`fact("LockWaits") || `, 35) + "pop()", long + "pop() && depth() > 0",
}

// long is the beginning of an expression with more nodes than an Eval has bits for.
var long = strings.Repeat("depth() > 7 || ", 20)

var remembered = []string{
	"relist()", `relist("expired")`, "staleReconcile(1s)", `seen("audit", "default/web") != version("default/web")`, "revisionsBehind() > 0", "serverRevision() > cacheRevision()",
	`lockWait() > 1us`, `lockWait("fifo") > 0s`, "once(pop())", "before(pop(), call())", "within(10ms, call(), watchEvent())", "since(watchEvent()) > 5ms", "count(pop()) == 2",
	"once(synced()) && !synced()", "within(1ms, synced(), delta())", "since(synced()) > 1s", "count(behind() > 1) > 1",
	long + "within(10ms, call(), watchEvent()) || count(pop()) == 2 || relist()",
}

func parse(t *testing.T, text string) *ask.Expr {
	t.Helper()
	x, err := ask.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return x
}

// values are what an expression is after each step, from the first one on, if it is
// evaluated in slices of so many steps.
func values(h *history.History, x *ask.Expr, slice func() int64) []ask.Value {
	var all []ask.Value
	last := ask.Value{}
	fill := func(to int64) {
		for int64(len(all)) < to {
			v := last
			if x.Momentary() {
				v = ask.Value{}
			}
			all = append(all, v)
		}
	}
	s := x.Search(h, 0, func(c ask.Change) {
		fill(c.Step - 1)
		all, last = append(all, c.Value), c.Value
	})
	for !s.Advance(slice()) {
	}
	fill(h.Steps())
	return all
}

func inOneGo() int64 { return 1 << 40 }

// An expression that is evaluated only where facts may have changed it has the
// value that it has when it is evaluated anew at every step. In slices its
// values are the same as in one go. Its ! finds the steps at which it is false.
// It is found forwards and backwards.
func TestAnExpressionIsWhatItIsAtEachStep(t *testing.T) {
	seen := map[string]bool{}
	eachRun(t, func(name string, h *history.History) {
		rand := actor.Rand(h.Steps())
		var all []*ask.Expr
		want := make([][]ask.Value, len(questions))
		for _, q := range questions {
			all = append(all, parse(t, q))
		}
		h.Find(0, false, func(w *world.World) bool {
			for i, x := range all {
				v, _ := x.Eval(0).Look(w)
				want[i] = append(want[i], v)
			}
			return false
		}).Run(1 << 40)
		for i, x := range all {
			got := values(h, x, inOneGo)
			if !slices.Equal(got, want[i]) {
				t.Fatalf("%s: %s is not what it is at each step: it differs first at step %d of %d", name, x.Text(), 1+differs(got, want[i]), h.Steps())
			}
			if slices.Contains(got, ask.Value{N: 1}) {
				seen[x.Text()] = true
			}
			from := int64(rand.Intn(int(h.Steps()) + 1))
			for _, back := range []bool{false, true} {
				found, ended := int64(0), false
				for f := x.Find(h, 0, from, back); !ended; {
					found, ended = f.Run(int64(1 + rand.Intn(99)))
				}
				if first := hit(got, from, back); found != first {
					t.Fatalf("%s: %s is found at %d from %d, back %v, and not at %d", name, x.Text(), found, from, back, first)
				}
			}
		}
		for _, q := range append(slices.Clone(questions), remembered...) {
			x := parse(t, q)
			got := values(h, x, inOneGo)
			if in := values(h, x, func() int64 { return int64(1 + rand.Intn(50)) }); !slices.Equal(got, in) {
				t.Fatalf("%s: %s differs in slices at step %d", name, q, 1+differs(got, in))
			}
			for i, v := range values(h, parse(t, "!("+q+")"), inOneGo) {
				if v == got[i] {
					t.Fatalf("%s: step %d is one of %s, and of its opposite", name, i+1, q)
				}
			}
			if v := x.Begin(h, 0).Value(); len(got) > 0 && v != got[len(got)-1] {
				t.Fatalf("%s: %s is %v where the run stands, and not %v", name, q, v, got[len(got)-1])
			}
			if slices.Contains(got, ask.Value{N: 1}) {
				seen[q] = true
			}
		}
	})
	for _, q := range append(slices.Clone(questions), remembered...) {
		if !seen[q] && !testing.Short() {
			t.Errorf("%s is never true", q)
		}
	}
}

func differs(a, b []ask.Value) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// hit is the first step after from that has a value of 1, or the last one before it; 0 for
// none.
func hit(all []ask.Value, from int64, back bool) (found int64) {
	for i, v := range all {
		if step := int64(i + 1); v.N == 1 && (back && step < from || !back && step > from && found == 0) {
			found = step
		}
	}
	return found
}

// A number that is asked for only where facts tell of a change is what it is at each step.
func TestNumbersMoveWithFacts(t *testing.T) {
	texts := []string{
		"behind()", `behind("audit")`, `behind("svc")`, "pending()", "calls()", `calls("late")`, "depth()", "services.depth()", "objects()", "services.objects()", `version("default/web")`,
		`queued("default/web")`, `cached("default/web")`, `cached("default/db")`,
	}
	moved := make([]int, len(texts))
	eachRun(t, func(name string, h *history.History) {
		for i, text := range texts {
			x := parse(t, text)
			if x.Check(names(h)) != nil {
				continue
			}
			lazy, last := x.Eval(0), ask.Value{}
			h.Find(0, false, func(w *world.World) bool {
				got, _ := lazy.Look(w)
				if want, _ := x.Eval(0).Look(w); got != want {
					t.Fatalf("%s: %s is %v at step %d, and should be %v", name, text, got, w.Steps(), want)
				}
				if got != last {
					moved[i]++
				}
				last = got
				return false
			}).Run(1 << 40)
		}
	})
	for i, n := range moved {
		if n < 10 && !testing.Short() {
			t.Errorf("%s changes %d times in all runs", texts[i], n)
		}
	}
}

// names are the informers and handlers of a run.
func names(h *history.History) *ask.Names {
	n := &ask.Names{}
	for _, x := range h.Front().Informers {
		n.Informers = append(n.Informers, x.Config().Name)
		for _, l := range x.Config().Handlers {
			n.Handlers = append(n.Handlers, l.Name)
		}
	}
	return n
}

// The functions that remember the past remember what their operands were.
func TestThePastIsWhatWasSo(t *testing.T) {
	eachRun(t, func(name string, h *history.History) {
		var now []int64
		h.Find(0, false, func(w *world.World) bool { now = append(now, w.Now()); return false }).Run(1 << 40)
		valuesOf := func(text string) []ask.Value { return values(h, parse(t, text), inOneGo) }
		for _, q := range [][2]string{{"pop()", "call()"}, {"watchEvent()", "synced()"}, {"behind() > 0", "delta()"}, {"depth() > 0", "synced()"}} {
			a, b := valuesOf(q[0]), valuesOf(q[1])
			once, before, count, since := valuesOf("once("+q[0]+")"), valuesOf("before("+q[0]+", "+q[1]+")"), valuesOf("count("+q[0]+")"), valuesOf("since("+q[0]+")")
			within := valuesOf("within(5ms, " + q[0] + ", " + q[1] + ")")
			lasts := []bool{!parse(t, q[0]).Momentary(), !parse(t, q[1]).Momentary()}
			had, other, n, last, lastOther := false, false, int64(0), int64(-1), int64(-1)
			for i := range a {
				step := i + 1
				ended := func(v []ask.Value, k int) bool { return lasts[k] && i > 0 && v[i-1].N == 1 && v[i].N == 0 }
				if a[i].N == 1 && (!lasts[0] || i == 0 || a[i-1].N == 0) {
					n++
				}
				if a[i].N == 1 || ended(a, 0) {
					last = now[i]
				}
				if b[i].N == 1 || ended(b, 1) {
					lastOther = now[i]
				}
				had, other = had || a[i].N == 1, other || b[i].N == 1
				near := a[i].N == 1 && lastOther >= 0 && now[i]-lastOther <= 5e6 || b[i].N == 1 && last >= 0 && now[i]-last <= 5e6
				ago := now[i] - max(last, 0)
				if a[i].N == 1 {
					ago = 0
				}
				if once[i].True() != had || before[i].True() != (a[i].N == 1 && !other) || count[i].N != n || since[i].N != ago || within[i].True() != near {
					t.Fatalf("%s: at step %d, of %q: once %v want %v, before %v, count %d want %d, since %d want %d, within %v want %v",
						name, step, q, once[i].True(), had, before[i].True(), count[i].N, n, since[i].N, ago, within[i].True(), near)
				}
			}
		}
	})
}

// An expression about a fact is true in those steps that have the fact, as run until looks for it.
func TestFactsAreTheStepsOwn(t *testing.T) {
	eachRun(t, func(name string, h *history.History) {
		type fact struct {
			kind event.Kind
			key  string
		}
		var steps []map[fact]bool
		h.Find(0, false, func(w *world.World) bool {
			facts := map[fact]bool{}
			for _, e := range w.Log.Events {
				facts[fact{e.Kind, ""}] = true
				facts[fact{e.Kind, w.Informers[w.Last.Informer].Config().Table.KeyText(e.Key)}] = true
			}
			steps = append(steps, facts)
			return false
		}).Run(1 << 40)
		for k := event.Kind(1); k.String() != ""; k++ {
			for _, key := range []string{"", "default/web"} {
				x := parse(t, "fact("+ask.Quote(k.String())+", "+ask.Quote(key)+")")
				got := values(h, x, inOneGo)
				for i, facts := range steps {
					if want := facts[fact{k, key}]; got[i].True() != want {
						t.Fatalf("%s: %s is %v at step %d", name, x.Text(), !want, i+1)
					}
				}
			}
		}
	})
}
