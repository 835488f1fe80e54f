package findings_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

var update = flag.Bool("update", false, "rewrite testdata/controls.txt")

// content returns a recording, uncompressed.
func content(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	b, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// found returns what is found in a recording that is read by so many bytes, and looked at by so many records.
func found(b []byte, by, most int) []findings.Finding {
	var log worker.Log
	r := format.NewReader(format.Options{OtherLine: log.Line})
	all, at := b, []byte(nil)
	pass := findings.NewPass(r.Trace(), findings.Options{Log: &log, Bytes: func(offset int64, n int) []byte {
		at = append(at[:0], all[offset:][:n]...) // overwrites what an earlier call returned, so a rule that keeps those bytes fails
		return at
	}})
	for len(b) > 0 {
		n := min(by, len(b))
		r.Write(b[:n])
		b = b[n:]
		for pass.Add(most) {
		}
		if most < math.MaxInt {
			pass.Forget()
			pass.Findings()
		}
	}
	r.Close() // it fails for a recording without a resource
	for pass.Add(most) {
	}
	return pass.Findings()
}

// TestPlants reads recordings of programs with trouble. Package recordings makes them: the name begins with the rule that
// must find them, and has not- after that for a near miss.
func TestPlants(t *testing.T) {
	names, err := filepath.Glob("testdata/*.trace.jsonl.gz")
	if err != nil || len(names) < 50 {
		t.Fatal(names, err)
	}
	rules := map[string]int{}
	for _, name := range names {
		rule, how, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".trace.jsonl.gz"), ".")
		var got, want []string
		for _, f := range found(content(t, name), math.MaxInt, math.MaxInt) {
			got = append(got, f.ID)
			if f.From.Time > f.To.Time || f.From.Time <= 0 {
				t.Errorf("%s: from %v to %v", name, f.From, f.To)
			}
		}
		if !strings.HasPrefix(how, "not-") {
			want = append(want, rule)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
		rules[rule]++
	}
	for _, r := range findings.Rules {
		if rules[r.ID] == 0 {
			t.Errorf("there is no plant for %s", r.ID)
		}
	}
}

// TestControls looks at every other recording of the project. What is found in them was counted by a script first.
func TestControls(t *testing.T) {
	var out bytes.Buffer
	files := 0
	for _, folder := range []string{"../../replay", "../../web", "../../wasm"} {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() && filepath.ToSlash(name) == "../../replay/serve/page/site" {
				return filepath.SkipDir // the page that was built has copies
			}
			if err != nil || !strings.Contains(d.Name(), ".trace.jsonl") || strings.Contains(name, "replay/findings/") {
				return err
			}
			files++
			for _, f := range found(content(t, name), math.MaxInt, math.MaxInt) {
				fmt.Fprintf(&out, "%s: %s", filepath.ToSlash(strings.TrimPrefix(name, "../../")), f.ID)
				for _, a := range f.Line().Args {
					text := a.Text
					switch {
					case a.Line != nil:
						text = strings.TrimPrefix(a.Line.ID, "finding.reason.")
					case a.Count != nil:
						text = fmt.Sprint(a.Count.N, a.Count.Unit)
					}
					fmt.Fprintf(&out, ", %s %s", a.Name, text)
				}
				out.WriteByte('\n')
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 60 {
		t.Errorf("there are %d recordings", files)
	}
	const golden = "testdata/controls.txt"
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := content(t, golden); !bytes.Equal(out.Bytes(), want) {
		t.Errorf("what is found is not %s (go test -update rewrites it):\n%s", golden, &out)
	}
}

// TestFindingsDoNotDependOnPieces reads recordings by small pieces, asking between them, and cut at random places.
func TestFindingsDoNotDependOnPieces(t *testing.T) {
	const seed = 1
	rnd := rand.New(rand.NewPCG(seed, 7))
	names, _ := filepath.Glob("testdata/*.trace.jsonl.gz")
	for _, name := range names {
		b := content(t, name)
		whole := fmt.Sprint(found(b, math.MaxInt, math.MaxInt))
		if pieces := fmt.Sprint(found(b, 1000+rnd.IntN(20_000), 1+rnd.IntN(100))); pieces != whole {
			t.Errorf("seed %d, %s: by pieces\n%s\nand at once\n%s", seed, name, pieces, whole)
		}
		found(b[:rnd.IntN(len(b))], 4096, 50)
	}
}
