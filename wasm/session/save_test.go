package session

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// What looks like a secret is shown before anything is saved. It is saved if the
// viewer says so once more; and if what is taken out was changed, it is looked for
// again.
func TestSaveAsksAboutSuspects(t *testing.T) {
	g := &game{t: t, m: New("en", "", 0)}
	g.m.Opened = &link.Opened{}
	found := Replied{&link.Reply{Suspects: &link.Suspects{Found: []link.Suspect{{Path: ".a", Why: "b", Count: 1}}}}}
	g.play(Acted{Act: "save"}, Acted{Act: "saveNow"})
	if g.last(link.OpSave).Redact.Anyway || !g.m.Saving {
		t.Fatal("nobody looks for what is left")
	}
	g.play(found)
	if g.m.Saving || g.m.Suspects == nil || g.m.Saved != nil {
		t.Fatal("what is left is not shown")
	}
	g.play(Acted{Act: "saveNow"})
	if !g.last(link.OpSave).Redact.Anyway || g.m.Suspects != nil {
		t.Error("it can't be saved anyway")
	}
	g.play(found, Acted{Act: "redact", Arg: "paths", Value: ".a"}, Acted{Act: "saveNow"})
	if g.last(link.OpSave).Redact.Anyway {
		t.Error("what was shown before still counts")
	}
}
