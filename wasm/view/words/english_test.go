//go:build !page

package words_test

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// In English, the page says of an error what the command line says.
func TestErrorsInEnglish(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "en"))
	for err := range saidInChinese() {
		if err != nil && w.Fault(link.Fault(err)) != err.Error() {
			t.Errorf("the page says %q, and the command line %q", w.Fault(link.Fault(err)), err)
		}
	}
}
