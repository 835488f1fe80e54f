package format

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// glanced reads input with a glance, and then checks it.
func glanced(input []byte, chunk int) (t *trace.Trace, before int, err error) {
	r := NewReader(Options{Glance: true})
	err = feed(r, input, chunk)
	t, before = r.Trace(), len(r.Trace().Problems)
	if c := r.Check(); err == nil && c != nil {
		err = feed(c, input, chunk)
	}
	if err == ErrMisread {
		r = NewReader(Options{})
		err = feed(r, input, chunk)
		t = r.Trace()
	}
	return t, before, err
}

// A glance and a full reading give the same for captures that are not damaged.
func TestGlancesAtRealCaptures(t *testing.T) {
	for _, name := range []string{"pods.watch.ndjson.gz", "pods-streaminglist.ndjson.gz", "kubectl-get-configmaps-w-events.json", "shop.trace.jsonl.gz"} {
		input := sample(t, name)
		strict, err := read(input, 1000, Options{})
		if err != nil {
			t.Fatal(err)
		}
		quick, _, err := glanced(input, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := summarize(quick, nil), summarize(strict, nil); got != want {
			t.Errorf("%s: with a glance\n%s\nwithout\n%s", name, got, want)
		}
		sameRecords(t, name, quick, strict)
	}
}

// sameRecords compares what two traces have of their resources.
func sameRecords(t *testing.T, name string, got, want *trace.Trace) {
	t.Helper()
	for i, r := range want.Resources {
		q := got.Resources[i]
		if !slices.Equal(r.Records, q.Records) {
			t.Errorf("%s, %s: the records are\n%v\nand should be\n%v", name, r.Name(), q.Records, r.Records)
		}
		for ref := range object.Ref(r.Table.Len()) {
			if got, want := q.Table.Meta(ref), r.Table.Meta(ref); got != want {
				t.Fatalf("%s, %s: object %d is %+v, and should be %+v", name, r.Name(), ref, got, want)
			}
		}
	}
}

// Nearly all events are read with a glance, or it would gain nothing.
func TestAGlanceIsEnough(t *testing.T) {
	for name, isTrace := range map[string]bool{"pods.watch.ndjson.gz": false, "pods-streaminglist.ndjson.gz": false, "shop.trace.jsonl.gz": true} {
		events, enough := 0, 0
		for line := range bytes.Lines(sample(t, name)) {
			if bytes.Contains(line, []byte(`"type":"MODIFIED"`)) {
				events++
				if _, same := trace.Glances(line, isTrace); same {
					enough++
				}
			}
		}
		if events < 10 || enough != events {
			t.Errorf("%s: a glance was enough for %d of %d events", name, enough, events)
		}
	}
}

// Where an input is damaged, a glance and a check find the same damage as a full reading.
func TestACheckFindsAllDamage(t *testing.T) {
	const replacements = `;:,{}[]"\ 0x` + "\n\x00\xff"
	seeds := uint64(250)
	if testing.Short() {
		seeds = 40
	}
	late := 0
	for _, name := range []string{"pods.watch.ndjson.gz", "shop.trace.jsonl.gz"} {
		whole := sample(t, name)
		whole = whole[:bytes.LastIndexByte(whole[:min(len(whole), 120_000)], '\n')+1]
		for seed := range seeds {
			random := rand.New(rand.NewPCG(seed, 1))
			input := bytes.Clone(whole)
			at := random.IntN(len(input))
			input[at] = replacements[random.IntN(len(replacements))]
			strict, err := read(input, 1<<16, Options{})
			quick, before, quickErr := glanced(input, 1+random.IntN(1<<16))
			if fmt.Sprint(err) != fmt.Sprint(quickErr) {
				t.Fatalf("%s, seed %d: %v, and should be %v", name, seed, quickErr, err)
			}
			if got, want := fmt.Sprint(quick.Problems), fmt.Sprint(strict.Problems); got != want {
				t.Fatalf("%s, seed %d, byte %d is now %q: found\n%s\nand should find\n%s", name, seed, at, input[at], got, want)
			}
			late += len(quick.Problems) - before
		}
	}
	if late < int(seeds)/25 {
		t.Errorf("only %d times the check found anything", late)
	}
}

// Where a glance was not enough, a check says so.
func TestACheckFindsWhatWasMisread(t *testing.T) {
	late := `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b","uid":"b","resourceVersion":"2","managedFields":[],"labels":{"a":"b"}}}}`
	input := []byte(event("Pod", "a") + "\n" + late + "\n" + event("Pod", "c") + "\n")
	r := NewReader(Options{Glance: true})
	if err := feed(r, input, 10); err != nil {
		t.Fatal(err)
	}
	if err := feed(r.Check(), input, 10); err != ErrMisread {
		t.Errorf("the check ends with %v", err)
	}
	tr, _, err := glanced(input, 10)
	if err != nil {
		t.Fatal(err)
	}
	if m := tr.Resources[0].Table.Meta(2); m.Labels == 0 || tr.Resources[0].Events != 3 {
		t.Errorf("the object is %+v, after %d events", m, tr.Resources[0].Events)
	}
}

// A reading that is stopped leaves out what is not complete, and is checked as far as it came.
func TestWhatIsStoppedHasNoDamage(t *testing.T) {
	first := event("Pod", "a") + "\n"
	bad := strings.Replace(event("Pod", "b"), `}}}`, `},"spec":{"a";1}}}`, 1) + "\n"
	list := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a","resourceVersion":"1"}},{"meta`
	for name, c := range map[string]struct {
		read, rest string
		events     int
	}{
		"half a line":     {first + bad[:60], bad[60:], 1},
		"a line":          {first, bad, 1},
		"half of a list":  {list, "", 0},
		"a line too long": {first + `{"a":"` + strings.Repeat("b", 500), bad, 1},
		"nothing":         {"", first + bad, 0},
	} {
		r := NewReader(Options{Glance: true, MaxLine: 300})
		r.Write([]byte(c.read))
		count := len(r.Trace().Problems)
		r.Stop()
		tr := r.Trace()
		if len(tr.Problems) != count || !tr.Complete {
			t.Errorf("%s: it is damaged: %v", name, tr.Problems)
		}
		if c.events > 0 && (len(tr.Resources) != 1 || tr.Resources[0].Events != c.events) {
			t.Errorf("%s: %d resources", name, len(tr.Resources))
		}
		check := r.Check()
		if c.events > 0 != (check != nil) {
			t.Errorf("%s: it has a check: %v", name, check != nil)
		}
		if check == nil {
			continue
		}
		if err := check.Write([]byte(c.read + c.rest)); err != io.EOF && c.rest != "" || len(tr.Problems) != count {
			t.Errorf("%s: the check ends with %v and %v", name, err, tr.Problems)
		}
	}
}

// Damage that a check finds doesn't take back what was read.
func TestAnEventWithDamageIsPlayed(t *testing.T) {
	bad := strings.Replace(event("Pod", "b"), `}}}`, `},"spec":{"a";1}}}`, 1)
	input := []byte(event("Pod", "a") + "\n" + bad + "\n" + event("Pod", "c") + "\n")
	tr, before, err := glanced(input, 10)
	if err != nil || before != 0 {
		t.Fatal(err, before)
	}
	want := fmt.Sprintf("[line 2, byte %d: the text is not JSON: invalid character ';' after object key]", bytes.IndexByte(input, ';')+1)
	if got := fmt.Sprint(tr.Problems); got != want || tr.Resources[0].Events != 3 {
		t.Errorf("%s and %d events, want %s and 3", got, tr.Resources[0].Events, want)
	}
}

// vetted reads input in chunks that Vet has looked at. It also returns how many bytes were found sound.
func vetted(input []byte, chunk int) (t *trace.Trace, sound int, err error) {
	r := NewReader(Options{})
	for from := 0; from < len(input); from += chunk {
		b := bytes.Clone(input[from:min(from+chunk, len(input))])
		spans := Vet(b)
		for _, s := range spans {
			sound += s.To - s.From
		}
		_ = r.WriteVetted(b, spans)
		for i := range b {
			b[i] = 'X'
		}
	}
	err = r.Close()
	return r.Trace(), sound, err
}

// sameVetted fails unless input is read the same whether Vet looks at it or not.
func sameVetted(t *testing.T, name string, input []byte, chunk int) (sound int) {
	t.Helper()
	want, wantErr := read(input, chunk, Options{})
	got, sound, err := vetted(input, chunk)
	if g, w := summarize(got, err), summarize(want, wantErr); g != w || got.ProblemCount != want.ProblemCount || got.Lost != want.Lost {
		t.Fatalf("%s, by %d: vetted, it is read as\n%s\nand should be\n%s", name, chunk, g, w)
	}
	sameRecords(t, name, got, want)
	return sound
}

// Nearly all of a capture is found sound, and what is read of it is the same.
func TestVet(t *testing.T) {
	for name, least := range map[string]int{
		"pods.watch.ndjson.gz": 90, "pods-streaminglist.ndjson.gz": 90, "shop.trace.jsonl.gz": 80, "kubectl-get-configmaps-w-events.json": 0,
		"watch-pretty.ndjson": 0, "list-pretty.json": 0, "watch-cut-midjson-rst.ndjson": 60, "pods-yaml-accept.ndjson": 0, "watch-410-events-compacted.ndjson": 0,
	} {
		input := sample(t, name)
		for _, chunk := range []int{len(input), 30_000, 7} {
			sound := sameVetted(t, name, input, chunk)
			if chunk == len(input) && sound*100 < len(input)*least {
				t.Errorf("%s: %d of %d bytes are sound", name, sound, len(input))
			}
		}
	}
}

// Damage anywhere is found and told as without Vet.
func TestVetAndDamage(t *testing.T) {
	const replacements = `;:,{}[]"\ 0x` + "\n\r\x00\xff"
	seeds := uint64(250)
	if testing.Short() {
		seeds = 40
	}
	for _, name := range []string{"pods.watch.ndjson.gz", "shop.trace.jsonl.gz"} {
		whole := sample(t, name)
		whole = whole[:bytes.LastIndexByte(whole[:min(len(whole), 120_000)], '\n')+1]
		for seed := range seeds {
			random := rand.New(rand.NewPCG(seed, 2))
			input := bytes.Clone(whole)
			for range 1 + random.IntN(3) {
				input[random.IntN(len(input))] = replacements[random.IntN(len(replacements))]
			}
			sameVetted(t, fmt.Sprintf("%s, seed %d", name, seed), input, 1+random.IntN(1<<17))
		}
	}
}

// FuzzVet: no input is read otherwise because Vet has looked at it.
func FuzzVet(f *testing.F) {
	a, b := event("Pod", "a"), event("Pod", "b")
	for _, s := range []string{
		a + "\n" + b + "\r\n" + a + "\n", a + "\n{\n" + b + "\n" + a + "\n}\n" + b, `{"type":"ADDED","object":` + "\n" + a + "\n" + b + "\n}\n" + a + "\n",
		a + "\n" + strings.Replace(b, `"metadata":{`, `"metadata":{"annotations":5,`, 1) + "\n" + a, a + "\n" + strings.Replace(b, `}}}`, "},\"spec\":{\"x\":\"\xff\"}}}", 1) + "\n" + a,
		ownHead + ownEvent(a) + ownEvent(b) + `{"t":3,"id":9,"event":` + a + "}\n" + a + "\n", a + "\n" + ownEvent(b) + b + "\n" + a,
		strings.Repeat("{]}\n", 30), a + "\n" + b + " x\n" + a + "\n" + b,
	} {
		f.Add([]byte(s), uint16(40))
		f.Add([]byte(s), uint16(1000))
	}
	f.Fuzz(func(t *testing.T, input []byte, chunk uint16) {
		sameVetted(t, "the input", input, 1+int(chunk))
	})
}
