package session

import (
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// Whoever presents turns to the stage by a key and leaves by Escape. A remote control's key
// blanks the screen, and the next key only shows it again.
func TestPresenting(t *testing.T) {
	v := arrive(t, "#lesson=ghost")
	v.settle()
	v.do(Resized{1920, 1080})
	large := v.m.Window()
	v.do(Pressed{Key: "p"})
	if w := v.last(link.OpWindow).Window; !v.m.Presenting || w.Queue >= large.Queue {
		t.Errorf("presenting: %v, with room for %+v", v.m.Presenting, w)
	}
	for _, key := range []string{".", "b"} {
		v.do(Pressed{Key: key})
		if !v.m.Blank {
			t.Fatalf("%s doesn't blank the screen", key)
		}
		steps, stops := v.count(link.OpStep), v.count(link.OpStop)
		v.do(Pressed{Key: "PageDown"})
		if v.m.Blank || v.count(link.OpStep) != steps || v.count(link.OpStop) != stops {
			t.Fatal("the next key does something that nobody sees")
		}
	}
	v.do(Pressed{Key: "PageDown"})
	v.stops(1)
	v.do(Pressed{Key: "b"}, Pressed{Key: "b"})
	if v.m.Blank {
		t.Error("the same key doesn't show the screen again")
	}
	v.do(Pressed{Key: "h"}, Pressed{Key: "Escape"})
	if !v.m.Presenting || v.m.Dialog != "" {
		t.Error("Escape in a dialog ends more than the dialog")
	}
	v.do(Pressed{Key: "Escape"})
	if w := v.last(link.OpWindow).Window; v.m.Presenting || *w != large {
		t.Errorf("presenting: %v, with room for %+v", v.m.Presenting, w)
	}
	steps := v.count(link.OpStep)
	if v.do(Pressed{Key: "."}); v.m.Blank || v.count(link.OpStep) == steps {
		t.Error("the key has not its usual meaning again")
	}
}
