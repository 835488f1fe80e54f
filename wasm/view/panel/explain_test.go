package panel

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// The welcome says of a script that it is one, and not that it was recorded.
func TestTheWelcomeSaysWhatIsPlayed(t *testing.T) {
	for script, want := range map[bool]string{true: "ui.intro.script", false: "ui.intro.2"} {
		texts := viewtest.Catalogue(t, "en")
		m := session.New("en", "", -1)
		m.Open.Trace = &link.Opened{Script: script}
		m.Stage.Frame = &link.Frame{}
		said := Explain(viewtest.Speaking(texts), widget.Cache{}, m, m.Stage.Frame, nil).TextContent()
		if !strings.Contains(said, texts[want]) || strings.Contains(said, "recording of a real cluster") == script {
			t.Errorf("of a script (%t) it says %q", script, said)
		}
	}
}
