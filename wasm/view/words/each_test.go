//go:build !js

package words_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed/runtest"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/says"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// example is the first step of the runs that is told by a sentence.
type example struct {
	what string // who did what, and the facts
	said link.Sentence
}

// examples has one for each sentence.
func examples(t *testing.T) map[string]example {
	t.Helper()
	found := map[string]example{}
	look := func(r runtest.Run) {
		r.Each(t, func(_, w *world.World) {
			said, why, _ := says.Explain(w)
			for _, s := range []*link.Sentence{&said, why} {
				if s == nil || found[s.ID].what != "" {
					continue
				}
				what := says.Actor(&w.Set, w.Last.Actor) + ":"
				for i, e := range w.Log.Events {
					if i > 0 && w.Log.Events[i-1].Kind == e.Kind {
						continue
					}
					what += " " + e.Kind.String()
				}
				found[s.ID] = example{what, *s}
			}
		})
	}
	runtest.Random(t, look)
	runtest.Scripts(t, look)
	runtest.Recordings(t, look)
	return found
}

// lines are the examples in a language.
func lines(all map[string]example, w *words.Words) (out []string) {
	for _, id := range slices.Sorted(maps.Keys(all)) {
		out = append(out, id+" | "+all[id].what+" | "+w.Plain(all[id].said))
	}
	return out
}

// TestEachSentenceIsRead compares one step of each sentence, with its facts and in each
// language, with a golden file that a person has read. No law reads the words: two
// sentences whose texts change places are found here.
func TestEachSentenceIsRead(t *testing.T) {
	all := examples(t)
	for _, code := range viewtest.Languages(t) {
		golden := "../../picture/says/testdata/said/each." + code + ".txt"
		w := viewtest.Speaking(viewtest.Catalogue(t, code))
		got := lines(all, w)
		if *update {
			if err := os.WriteFile(golden, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		b, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("%s, line %d:\n got %s\nwant %s", golden, i+1, got[min(i, len(got)-1)], want[min(i, len(want)-1)])
			}
		}
		lives, n := exchanged(all, w)
		if t.Logf("%s: %d pairs of texts in each other's place, %d of them unnoticed: %q", code, n, len(lives), lives); len(lives)*50 > n {
			t.Errorf("%s: more than two in a hundred are not noticed", code)
		}
	}
}

// exchanged puts each two texts of sentences, and of reasons, in each other's place, and
// returns the pairs for which the examples stay what they are.
func exchanged(all map[string]example, w *words.Words) (lives []string, n int) {
	said := func(id, text string) string {
		was := w.Texts[id]
		defer func() { w.Texts[id] = was }()
		w.Texts[id] = text
		return w.Plain(all[id].said)
	}
	ids := slices.Sorted(maps.Keys(all))
	for i, a := range ids {
		for _, b := range ids[i+1:] {
			if a[:4] != b[:4] {
				continue
			}
			n++
			if said(a, w.Texts[b]) == said(a, w.Texts[a]) && said(b, w.Texts[a]) == said(b, w.Texts[b]) {
				lives = append(lives, a+" and "+b)
			}
		}
	}
	return lives, n
}
