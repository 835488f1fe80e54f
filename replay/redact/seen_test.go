package redact

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// TestSeenValues gives the same lines, some of them several times and in any order, to a
// Redactor that remembers values in which nothing was found, and to one that doesn't. Their
// lines and counts must be the same.
func TestSeenValues(t *testing.T) {
	var lines [][]byte
	for line := range bytes.Lines(unzipped(t, "../format/testdata/shop.trace.jsonl.gz")) {
		lines = append(lines, bytes.TrimSuffix(line, []byte("\n")))
	}
	lines = append(lines, podEvents(t, 2)...)
	planted, _ := places(t, "testdata/planted.txt")
	for _, place := range planted {
		line, _ := plantedLine(t, place)
		lines = append(lines, []byte(line))
	}
	for seed := range uint64(100) {
		g := &planter{Rand: rand.New(rand.NewPCG(seed, 2)), unknown: true}
		lines = append(lines, []byte(g.object("event", g.object("object", g.manifest(3), "type", `"ADDED"`))))
	}
	apart := len(lines)
	// The same value in places where it means different things.
	for _, value := range []string{`"abcdefgh"`, `"s3cretValue9"`, `["--password","abcdefgh1"]`, `{"a":"s3cretValue9"}`, `{"value":"abcdefgh","name":"LEVEL"}`,
		`[{"name":"A","value":"abcdefgh"}]`, `{"data":{"a":"YWJjZGVmZ2g="}}`, `"a: b\nlist: [x, *y]\npassword: abcdefgh\n"`, `"deadbeefdeadbeefdeadbeefdeadbeef"`} {
		for _, around := range []string{`{"a":%s}`, `{"secret":%s}`, `{"secret":{"x":%s}}`, `{"env":%s}`, `{"env":[%s]}`, `{"kind":"Secret","data":%s}`, `{"kind":"Secret","x":%s}`, `{"kind":"SealedSecret","spec":%s}`,
			`{"items":[%s]}`, `{"kind":"SecretList","items":[%s]}`, `{"digest":%s}`, `{"metadata":{"name":%s}}`, `{"name":"password","value":%s}`, `{"command":["mysql","-p",%s]}`, `{"args":[%s,"-x"],"command":["mysql"]}`,
			`{"kind":"Table","columnDefinitions":[{"name":"Token"}],"rows":[{"cells":[%s]}]}`, `{"kind":"Table","columnDefinitions":[{"name":"Age"}],"rows":[{"cells":[%s]}]}`,
			`{"kind":"Table","columnDefinitions":[{"name":"Token"}],"rows":[{"object":{},"cells":[%s]}]}`, `{"kind":"Table","columnDefinitions":[{"name":"Age"}],"rows":[{"cells":[%s]}]}`} {
			lines = append(lines, []byte(inTrace(fmt.Sprintf(around, value))))
		}
	}
	// A value is met in an innocent place just before the guilty one, and just after it.
	neighbours := slices.Clone(lines[apart:])
	slices.Reverse(neighbours)
	neighbours = append(neighbours, lines[apart:]...)
	for _, line := range []string{
		// A Table without rows says what the cells of the next one are, every time.
		`{"kind":"Table","columnDefinitions":[{"name":"Token"}],"rows":[]}`, `{"kind":"Table","columnDefinitions":[{"name":"Age"}],"rows":[]}`,
		`{"kind":"Table","columnDefinitions":[{"name":"Token"}],"rows":[]}`, `{"kind":"Table","rows":[{"cells":["abcdefgh"]}]}`,
		// The first document's variable is counted, and the second can't be read.
		`{"note":"env:\n  LEVEL: debugging\n---\n- [x\n"}`, `{"note":"env:\n  LEVEL: debugging\n---\n- [x\n"}`,
	} {
		neighbours = append(neighbours, []byte(inTrace(line)))
	}
	// What is too deep to be read in one text is read in the next.
	text := `{"env":{"LEVEL":"debugging"}}`
	var deep [][]byte
	for range maxNested + 2 {
		text = `{"a":` + string(appendQuoted(nil, []byte(text))) + `}`
		deep = append(deep, []byte(inTrace(text)))
	}
	slices.Reverse(deep)
	neighbours = append(neighbours, deep...)
	g := rand.New(rand.NewPCG(1, 1))
	for range 2 {
		g.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		lines = append(lines, lines[:len(lines)/2]...)
	}
	lines = append(lines, neighbours...)
	for _, o := range []Options{{}, {Rules: Tokens}, {Rules: SecretData | Env}} {
		remembers, forgets := redactor(t, o), redactor(t, o)
		forgets.plain.on = false
		changed := 0
		for _, line := range lines {
			got, want := remembers.Line(line), forgets.Line(line)
			if !bytes.Equal(got, want) {
				t.Fatalf("%.2000s becomes\n%.2000s\nand without a memory\n%.2000s", line, got, want)
			}
			if !bytes.Equal(want, line) {
				changed++
			}
		}
		if got, want := remembers.Counts(), forgets.Counts(); !slices.Equal(got, want) {
			t.Errorf("counted are %v, and without a memory %v", got, want)
		}
		if changed == 0 || remembers.plain.slots == nil || forgets.plain.slots != nil {
			t.Errorf("%d lines were changed, and the memories are not as they should be", changed)
		}
	}
}

// TestSeenLines gives lines that differ in a few values to a Redactor that remembers lines,
// and to one that doesn't. Their lines, tapes and counts must be the same.
func TestSeenLines(t *testing.T) {
	var lines [][]byte
	for line := range bytes.Lines(unzipped(t, "../format/testdata/shop.trace.jsonl.gz")) {
		if len(line) < longestLineSeen {
			lines = append(lines, bytes.TrimSuffix(line, []byte("\n")))
		}
	}
	lines = append(lines[:20:20], lines[len(lines)-20:]...)
	lines = append(lines, podEvents(t, 1)[:40]...)
	for seed := range uint64(30) {
		g := &planter{Rand: rand.New(rand.NewPCG(seed, 3)), unknown: true}
		lines = append(lines, []byte(g.object("event", g.object("object", g.manifest(3), "type", `"ADDED"`))))
	}
	planted, _ := places(t, "testdata/planted.txt")
	for _, place := range planted {
		line, _ := plantedLine(t, place)
		lines = append(lines, []byte(line))
	}
	values := []string{`"Secret"`, `"SecretList"`, `"Pod"`, `"Opaque"`, `"password"`, `"LEVEL"`, `"s3cretValue9"`, `"--password"`, `"mysql -u root -ps3cretValue9"`, `"-p"`, `"ghp_0123456789abcdefghijABCDEFGHIJ012345"`,
		`"2026-11-26T20:00:00Z"`, `"REDACTED"`, `"string"`, `"a: b\npassword: abcdefgh\n"`, `"{\"password\":\"abcdefgh\"}"`, `"postgres://u:s3cretValue9@h/d"`, `""`, `"\u0041"`, `0`, `12345678`, `-1.5e9`, `true`, `null`,
		`[]`, `{}`, `{"a":1}`, `"not ended`, `01`, `nul`}
	for seed := range uint64(3) {
		g := rand.New(rand.NewPCG(seed, 4))
		remembers, forgets := redactor(t, Options{}), redactor(t, Options{})
		forgets.plain.on = false
		alike, moved := 0, 0
		var few [40][]byte // at a time
		for n := range 6000 {
			at := g.IntN(len(few))
			if n%500 < len(few) {
				few[n%500] = lines[g.IntN(len(lines))]
				at = n % 500
			}
			line := few[at]
			for range g.IntN(4) {
				var s jsonscan.Tape
				if !s.Parse(line) {
					break
				}
				x := s.Nodes[g.IntN(len(s.Nodes))]
				value := values[g.IntN(len(values))]
				if c := line[x.From]; c == '{' || c == '[' {
					continue
				}
				line = slices.Concat(line[:x.From], []byte(value), line[x.To:])
			}
			if len(line) >= shortestSeen && len(line) <= longestLineSeen {
				if like, _ := remembers.plain.find(line); like != nil {
					alike++
					moved += len(remembers.plain.moved)
				}
			}
			got, want := bytes.Clone(remembers.Line(line)), forgets.Line(line)
			if !bytes.Equal(got, want) {
				t.Fatalf("seed %d: %.3000s becomes\n%.3000s\nand without a memory\n%.3000s", seed, line, got, want)
			}
			if want != nil && g.IntN(2) == 0 {
				few[at] = line // the next one differs from this one
			}
			if l := remembers.plain.line; l != nil && (!slices.Equal(l.nodes, forgets.sheet.Nodes) || !bytes.Equal(l.b, line)) {
				t.Fatalf("seed %d: the tape of %.3000s is remembered wrongly", seed, line)
			}
		}
		if got, want := remembers.Counts(), forgets.Counts(); !slices.Equal(got, want) {
			t.Errorf("seed %d: counted are %v, and without a memory %v", seed, got, want)
		}
		if alike < 1000 || moved < alike/2 {
			t.Errorf("seed %d: only %d lines were like earlier ones, with %d other values", seed, alike, moved)
		}
	}
}
