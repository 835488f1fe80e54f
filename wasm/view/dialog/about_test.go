package dialog

import (
	"testing"

	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// The program for the command line says the same in English as the page.
func TestRemarksReadTheSameInTheTerminal(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "en"))
	for _, id := range remarks.IDs() {
		for _, count := range []int64{1, 2, 123} {
			if page, terminal := Remark(w, link.Remark{ID: id, Count: count, Detail: "pods"}), remarks.Sentence(id, count, "pods"); page != terminal {
				t.Errorf("the page says %q, and the terminal %q", page, terminal)
			}
		}
	}
}
