package panel

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// The setup names the recorded controllers that aren't played.
func TestTheSetupNamesOtherControllers(t *testing.T) {
	for _, others := range [][]string{nil, {"apps", "zones"}} {
		m := session.New("en", "", -1)
		m.Open.Trace = &link.Opened{Informers: []link.Informer{{Name: "shops", Controller: "web", NotPlayed: others}}}
		said := Setup(viewtest.Speaking(viewtest.Catalogue(t, "en")), m).TextContent()
		if !strings.Contains(said, "workers of web as recorded") || strings.Contains(said, "recorded, too: apps, zones") != (others != nil) {
			t.Errorf("of %q it says %q", others, said)
		}
	}
}
