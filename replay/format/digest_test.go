package format

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// digested reads input with a glance: the bytes before from as they are, and the others by the digests of chunks. It
// also returns how many bytes the Reader has asked for.
func digested(input []byte, from, chunk, maxLine int) (r *Reader, asked int, err error) {
	r = NewReader(Options{Glance: true, MaxLine: maxLine})
	_ = r.Write(input[:from])
	var d Digester // of several workers each has its own, so it must not matter what it has seen
	var digest []byte
	for at := from; at < len(input); at += chunk {
		b := bytes.Clone(input[at:min(at+chunk, len(input))])
		digest = d.Append(digest[:0], b)
		for i := range b {
			b[i] = 'X'
		}
		_ = r.WriteDigest(digest, func(offset int64, n int) ([]byte, error) {
			asked += n
			return bytes.Clone(input[offset : offset+int64(n)]), nil
		})
		for i := range digest {
			digest[i] = 'X'
		}
	}
	return r, asked, r.Close()
}

// sameDigested fails unless input is read the same by digests as in chunks.
func sameDigested(t *testing.T, name string, input []byte, from, chunk, maxLine int) (asked int) {
	t.Helper()
	want := NewReader(Options{Glance: true, MaxLine: maxLine})
	wantErr := feed(want, input, chunk)
	got, asked, err := digested(input, from, chunk, maxLine)
	g, w := summarize(got.Trace(), err), summarize(want.Trace(), wantErr)
	same := g == w && got.t.ProblemCount == want.t.ProblemCount && got.t.Lost == want.t.Lost && got.t.Now == want.t.Now
	if !same || err == nil && (got.lines != want.lines || got.offset != want.offset || got.glanced != want.glanced) {
		t.Fatalf("%s, from %d by %d: digested, it is read as\n%s\nand should be\n%s", name, from, chunk, g, w)
	}
	sameRecords(t, name, got.Trace(), want.Trace())
	return asked
}

// Every capture of the tests is read the same by digests, wherever they are cut and begin. Of one that is lines of
// events, nothing is read twice.
func TestDigests(t *testing.T) {
	for _, dir := range []string{"", "../../convert/testdata/"} {
		files, err := os.ReadDir("testdata/" + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.IsDir() {
				continue
			}
			name := dir + f.Name()
			input := sample(t, name)
			random := rand.New(rand.NewPCG(uint64(len(input)), 3))
			for range 5 {
				sameDigested(t, name, input, random.IntN(len(input)+1), 500+random.IntN(1<<(9+random.IntN(10))), 0)
			}
			sameDigested(t, "the beginning of "+name, input[:min(len(input), 20_000)], random.IntN(1000)%len(input), 7, 0)
			crlf := bytes.ReplaceAll(input, []byte{'\n'}, []byte("\r\n"))
			sameDigested(t, name+" with CRLF", crlf, len(crlf)/3, 1+len(crlf)/7, 0)
			sameDigested(t, name+" with short lines", input, len(input)/3, 1+len(input)/7, 3000)
		}
	}
	for _, name := range []string{"pods.watch.ndjson.gz", "pods-streaminglist.ndjson.gz", "shop.trace.jsonl.gz", "kubectl-get-pods-w-events.json.gz"} {
		input := sample(t, name)
		if asked := sameDigested(t, name, input, len(input)/4, 1<<17, 0); asked > 0 {
			t.Errorf("%s: %d bytes are read twice", name, asked)
		}
		digest := new(Digester).Append(nil, input)
		if len(digest)*4 > len(input) {
			t.Errorf("%s: a digest of %d bytes has %d bytes", name, len(input), len(digest))
		}
	}
}

// Damage anywhere is told as without digests, also beside the place where two chunks meet.
func TestDigestsAndDamage(t *testing.T) {
	const replacements = `;:,{}[]"\ 0x` + "\n\r\x00\xff"
	seeds := uint64(100)
	if testing.Short() {
		seeds = 40
	}
	for _, name := range []string{"pods.watch.ndjson.gz", "shop.trace.jsonl.gz", "kubectl-get-configmaps-w-events.json"} {
		whole := sample(t, name)
		whole = whole[:bytes.LastIndexByte(whole[:min(len(whole), 120_000)], '\n')+1]
		for seed := range seeds {
			random := rand.New(rand.NewPCG(seed, 4))
			input, chunk, from := bytes.Clone(whole), 1+random.IntN(1<<15), random.IntN(len(whole))
			for range 1 + random.IntN(3) {
				at := random.IntN(len(input))
				if meet := from + (at-from)/chunk*chunk + random.IntN(9) - 4; random.IntN(2) == 0 && meet >= 0 && meet < len(input) {
					at = meet
				}
				input[at] = replacements[random.IntN(len(replacements))]
			}
			sameDigested(t, fmt.Sprintf("%s, seed %d", name, seed), input, from, chunk, 0)
		}
	}
}

// Where the bytes that a digest stands for can't be read, the reading ends there, and what was read stays.
func TestDigestsOfWhatIsGone(t *testing.T) {
	a, b := event("Pod", "a"), event("Pod", "b")
	r := NewReader(Options{Glance: true})
	r.Write([]byte(a + "\n{\n"))
	gone := errors.New("the file is gone")
	digest := new(Digester).Append(nil, []byte("\n"+b+"\n"+a+"\n"))
	if err := r.WriteDigest(digest, func(int64, int) ([]byte, error) { return nil, gone }); err != gone {
		t.Errorf("the error is %v", err)
	}
	if err := r.Close(); err != gone {
		t.Errorf("at the end it is %v", err)
	}
	if p := r.t.Problems; len(p) != 1 || p[0].Kind != trace.Source || r.t.Resources[0].Events != 1 {
		t.Errorf("the problems are %v", p)
	}
}

// Versions of a few objects are read the same by digests, though most of them are added by what is known of the version
// before: with labels that change and come back, objects that are created anew, kinds that take turns, events that are
// missing or come twice, and no name, UID or resourceVersion.
func TestDigestsOfTheSameObjects(t *testing.T) {
	for seed := range uint64(25) {
		random := rand.New(rand.NewPCG(seed, 5))
		choose := func(choices ...string) string { return choices[random.IntN(len(choices))] }
		watch, ownTrace := event("Pod", "first")+"\n", ownHead+ownEvent(event("Pod", "first"))
		ownTrace += strings.Replace(strings.SplitAfter(ownHead, "\n")[1], `"id":1`, `"id":2`, 1)
		newest := ""
		kinds := []string{"Pod", "Pod", "Pod", "Node"}[:3+random.IntN(2)]
		for n := range 300 {
			id, rv := choose("1", "1", "2", "3"), choose(fmt.Sprint(n), fmt.Sprint(n), fmt.Sprint(n-1), "", "odd")
			if id == "2" && rv != "" {
				newest = rv
			}
			e := fmt.Sprintf(`{"type":"%s","object":{"kind":"%s","apiVersion":"%s","metadata":{"name":"%s",%s"uid":"%s","resourceVersion":"%s",%s"managedFields":[]}}}`,
				choose("ADDED", "MODIFIED", "MODIFIED", "DELETED"), choose(kinds...), choose("v1", "v1", "v1", "v1", "v2"), choose("a", "a", "b", "c", ""),
				choose("", "", `"namespace":"x",`), choose("u1", "u1", "u1", "u2", ""), rv,
				choose("", `"labels":{"app":"web"},`, `"labels":{"app":"api","tier":"gold"},`))
			watch += e + "\n"
			ownTrace += strings.Replace(ownEvent(e), `"id":1`, `"id":`+id, 1)
		}
		// The reader that was sent the newest version goes on from there.
		ownTrace += `{"t":3,"id":1,"end":{"how":"eof"}}` + "\n" + `{"t":3,"id":2,"end":{"how":"eof"}}` + "\n"
		ownTrace += `{"t":4,"id":4,"req":{"method":"GET","url":"/api/v1/pods?watch=1&resourceVersion=` + newest + `"}}` + "\n"
		ownTrace += `{"t":5,"id":4,"event":` + event("Pod", "last") + "}\n"
		for name, input := range map[string]string{"watch": watch, "own": ownTrace} {
			sameDigested(t, fmt.Sprintf("%s, seed %d", name, seed), []byte(input), len(ownHead), 300+random.IntN(1<<15), 0)
		}
	}
}

// FuzzDigest: no input is read otherwise by digests.
func FuzzDigest(f *testing.F) {
	a, b := event("Pod", "a"), event("Pod", "b")
	label := strings.Replace(a, `"name":"a"`, `"name":"a","labels":{"x":"y"},"managedFields":[{}]`, 1)
	for _, s := range []string{
		a + "\n" + b + "\r\n" + a + "\n", a + "\n{\n" + b + "\n" + a + "\n}\n" + b, `{"type":"ADDED","object":` + "\n" + a + "\n" + b + "\n}\n" + a + "\n",
		a + "\n" + event("Table", "x") + "\n" + event("PartialObjectMetadata", "x") + "\n" + a, label + "\n\n \n" + label + "\n" + label,
		ownHead + ownEvent(a) + ownEvent(label) + `{"t":3,"id":9,"event":` + a + "}\n" + ownEvent(a) + a + "\n", a + "\n" + ownEvent(b) + b + "\n" + a + "\n",
		a + "\n" + strings.Replace(b, "ADDED", "BOOKMARK", 1) + "\n" + strings.Replace(b, "ADDED", "ERROR", 1) + "\n" + strings.Replace(b, "ADDED", "GONE", 1) + "\n" + a + "\n",
		strings.Repeat("{]}\n", 30), a + "\n" + b + " x\n" + a + "\n" + b, a + b + "\n" + a + "\n", a + "\n" + b[:20] + "\n" + a + "\n" + b,
	} {
		f.Add([]byte(s), uint16(0), uint16(40), uint16(0))
		f.Add([]byte(s), uint16(100), uint16(1000), uint16(200))
	}
	f.Fuzz(func(t *testing.T, input []byte, from, chunk, maxLine uint16) {
		sameDigested(t, "the input", input, min(int(from), len(input)), 1+int(chunk), int(maxLine))
	})
}

// What a Reader asks for is bounded by the chunk: a value that is never closed has each chunk read once more, and no more.
func TestDigestsAreReadTwiceAtMost(t *testing.T) {
	input := []byte(event("Pod", "a") + "\n" + `{"type":"ADDED","object":{"kind":"Pod","x":[` + "\n" + strings.Repeat(` {"a":1},`+"\n"+strings.Replace(event("Pod", "b"), "ADDED", "MODIFIED", 1)+",\n", 2000))
	if asked := sameDigested(t, "an open value", input, 0, 4096, 0); asked > len(input) {
		t.Errorf("of %d bytes, %d are read once more", len(input), asked)
	}
}
