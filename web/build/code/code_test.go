package code

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
)

const top = "../../.."

func newFile(t *testing.T) *File {
	t.Helper()
	text, err := NewFile(top)
	if err != nil {
		t.Fatal(err)
	}
	var f File
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	return &f
}

// The version of the page is a hash of its files, so the same source makes the same file.
func TestTheFileIsTheSameAgain(t *testing.T) {
	file, err := NewFile(top)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := NewFile(top); err != nil || !bytes.Equal(file, two) {
		t.Error("made again, the file differs", err)
	}
}

// received are the program counters of actors that wait for a sender, which moves them on.
var received = []actor.PC{actor.PopReceive, actor.RunReceive, actor.DelayingReceive, actor.WorkerReceive, actor.WorkerElected}

func TestEachProgramCounterHasAFunction(t *testing.T) {
	f := newFile(t)
	for pc := range actor.NumPC {
		step := f.Steps[int64(pc)]
		if slices.Contains(received, pc) != (step == nil) {
			t.Errorf("%v has the step %v", pc, step)
			continue
		}
		if step == nil {
			continue
		}
		if fn := f.Functions[step.Call[0]]; !strings.HasPrefix(fn.Name, "Informer.") && !slices.Contains([]string{"Driver.carryOut", "Driver.handle", "Driver.runProgram", "Driver.awaitCaches", "stepRecorded", "stepProcessor", "Driver.collect", "Driver.elect"}, fn.Name) {
			t.Errorf("%v is done by %s", pc, fn.Name)
		}
	}
	if step := f.Steps[int64(TimePassed)]; f.Functions[step.Call[0]].Name != "Driver.ReachHorizon" || len(step.Paths[int64(event.TimePassed)]) != 1 {
		t.Errorf("the end of PassTime is %v", step)
	}
}

func TestLinesAreInTheirFunctions(t *testing.T) {
	f := newFile(t)
	calls := func(pc int64, c Call) {
		fn := f.Functions[c[0]]
		for _, line := range c[1:] {
			if line < fn.First || line >= fn.First+len(fn.Lines) {
				t.Errorf("program counter %d: line %d is not in %s", pc, line, fn.Name)
			}
		}
	}
	for pc, step := range f.Steps {
		calls(pc, step.Call)
		for kind, ways := range step.Paths {
			for _, w := range ways {
				for _, c := range w.Calls {
					calls(pc, c)
				}
				if last := w.Calls[len(w.Calls)-1]; !slices.Contains(last[1:], w.Line) {
					t.Errorf("program counter %d: line %d makes %d and is not lit", pc, w.Line, kind)
				}
			}
		}
	}
}

func TestTextIsTheSource(t *testing.T) {
	for _, fn := range newFile(t).Functions {
		source, err := os.ReadFile(filepath.Join(top, fn.File))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(source), "\n")
		for i, pieces := range fn.Lines {
			var text strings.Builder
			for _, p := range pieces {
				text.WriteString(p[1:])
			}
			if want := lines[fn.First-1+i]; text.String() != want {
				t.Errorf("%s:%d is\n%s\nand not\n%s", fn.File, fn.First+i, text.String(), want)
			}
		}
	}
}

func TestPaints(t *testing.T) {
	got := paint("// one\n// two\nfunc f() string {\n\treturn `a\nb` + \"c\" // 1\n}")
	want := [][]string{
		{"c// one"}, {"c// two"}, {"kfunc", "  f() string {"}, {" \t", "kreturn", "  ", "s`a"}, {"sb`", "  + ", "s\"c\"", "  ", "c// 1"}, {" }"},
	}
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("%q", got)
	}
}

// A fact that two places can make lights what both have in common. One that only one place
// makes leads there, through the calls in their order.
func TestWays(t *testing.T) {
	f := newFile(t)
	names := func(w Path) (all []string) {
		for _, c := range w.Calls {
			all = append(all, f.Functions[c[0]].Name)
		}
		return all
	}
	text := func(w Path) string {
		fn := f.Functions[w.Calls[len(w.Calls)-1][0]]
		return strings.Join(fn.Lines[w.Line-fn.First], "")
	}
	for _, c := range []struct {
		pc    actor.PC
		fact  int64
		queue string
		batch bool
		names []string
		text  string
	}{
		{actor.LoopPop, int64(event.Popped), "DeltaFIFO", false, []string{"Informer.pop", "DeltaFIFO.Pop"}, "event.Popped"},
		{actor.LoopPop, int64(event.Popped), "RealFIFO", true, []string{"Informer.pop", "RealFIFO.PopBatch", "RealFIFO.take"}, "event.Popped"},
		{actor.RunCall, int64(event.HandlerCalled), "", false, []string{"Informer.runCall", "Processor.Call"}, "event.HandlerCalled"},
		{actor.LoopBlock, arguments{-1, int64(actor.BlockDeltas)}.fact(int64(event.LockAcquired)), "", false, []string{"Informer.block"}, "s.Acquire("},
		{actor.None, int64(event.NextSwapped), "", false, []string{"Driver.carryOut", "Driver.tamper"}, "row.fact"},
		{actor.WorkerReconciled, int64(event.ObjectWritten), "", false, []string{"Driver.WriteBack", "Driver.Write"}, "event.ObjectWritten"},
	} {
		i := slices.IndexFunc(f.Steps[int64(c.pc)].Paths[c.fact], func(w Path) bool {
			return slices.Equal(names(w), c.names) && w.Queue == c.queue && (w.Batch == nil || *w.Batch == c.batch)
		})
		if i < 0 {
			t.Errorf("%v: no way to fact %d by %q", c.pc, c.fact, c.names)
		} else if got := text(f.Steps[int64(c.pc)].Paths[c.fact][i]); !strings.Contains(got, c.text) {
			t.Errorf("%v: the line for fact %d is %q", c.pc, c.fact, got)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		name     string
		function string
		file     string
		ok       bool
	}{
		{"DeltaFIFO.Pop", "v0.22.17", "tools/cache/delta_fifo.go", true},
		{"workqueue.Typed.Add", "v0.37", "util/workqueue/queue.go", true},
		{"wait.BackoffUntil", "v0.26.1", "apimachinery/pkg/util/wait/wait.go", true},
		{"wait.BackoffUntil", "v0.27.0", "apimachinery/pkg/util/wait/backoff.go", true},
		{"sync.Mutex.Lock", "v0.37.2", "", true},
		{"nobody.Knows", "v0.37.2", "", false},
	} {
		if file, ok := Place(c.name, Minor(c.function)); file != c.file || ok != c.ok {
			t.Errorf("%s of %s is in %q, %v", c.name, c.function, file, ok)
		}
	}
}
