package format

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

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
	if g, w := tell(got, err), tell(want, wantErr); g != w || got.ProblemCount != want.ProblemCount || got.Lost != want.Lost {
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
