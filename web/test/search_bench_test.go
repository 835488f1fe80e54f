package test

import (
	"fmt"
	"testing"
)

// BenchmarkSearch measures how long a search of a large trace takes: until its first hits are
// listed, and until all are known. One expression is about facts alone, and one looks at the
// state in each step.
func BenchmarkSearch(b *testing.B) {
	for _, events := range []int{100_000, 500_000} {
		b.Run(num(int64(events)), func(b *testing.B) {
			file, _ := podsTrace(b, "search.trace.jsonl.gz", events, 4_000, 600)
			t := open(b)
			t.loaded()
			t.upload(onFile, file)
			t.opened("search")
			t.loaded()
			for b.Loop() {
				for _, text := range []string{`call("audit", "OnDelete")`, `behind("audit") > 100 && depth() > 0`} {
					t.writes(text)
					t.wait(`document.querySelector('[data-act=watchExpr]')?.disabled === false`)
					took := eval[[]float64](t, `(async () => {
						const from = performance.now(), until = async (yes) => { while (!yes()) await new Promise(requestAnimationFrame); return performance.now() - from; };
						document.querySelector('[data-act=watchExpr]').click();
						const of = () => document.querySelector('.watched-head code')?.textContent === `+quote(text)+`;
						const first = await until(() => of() && document.querySelectorAll('.hits button').length > 0);
						return [first, await until(() => of() && !document.querySelector('[data-act=stopExpr]'))];
					})()`)
					fmt.Printf("search of %d events for %s: the first hits after %.0f ms, all after %.0f ms\n", events, text, took[0], took[1])
				}
			}
		})
	}
}
