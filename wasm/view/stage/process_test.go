package stage

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// Each informer of a process is a button that makes it large, and the one that is large is
// pressed. A process with one informer has no such row.
func TestInformersAreButtons(t *testing.T) {
	f := viewtest.Frame()
	if shown(t, "en", f, "informers") != nil {
		t.Error("one informer is shown small, too")
	}
	f.Informer = 1
	f.Process = link.Process{Elsewhere: "pods", Factory: true, Informers: []link.Small{
		{Name: "pods", Wire: link.WireOpen, Queue: 1, Cached: 2, Objects: 3, Differs: 1, Handlers: 1, Last: &link.Chip{T: link.LetterAdded, Key: "a/b", RV: "3", Ref: 7}},
		{Name: "services", Wire: link.WireBroken, Objects: -1, Synced: true},
	}}
	n := shown(t, "en", f, "informers")
	if text := n.TextContent(); !strings.Contains(text, "SharedInformerFactory") || !strings.Contains(text, "2 of 3") {
		t.Errorf("the row is %q", text)
	}
	var got []string
	n.Find(func(n *tree.Node) bool {
		if act, _ := n.Value("data-act"); act == "informer" {
			arg, _ := n.Value("data-arg")
			pressed, _ := n.Value("aria-pressed")
			says, _ := n.Value("title")
			got = append(got, arg+" "+pressed+" "+says)
		} else if act != "" {
			t.Errorf("a button has the button %s in it", act)
		}
		return false
	})
	want := []string{
		"0 false pods: watch open. In the queue: 1. In the cache: 2. It has 1 handler. The cache differs from the API server in 1 object. It hasn't synced yet.",
		"1 true services: broken. In the queue: 0. In the cache: 0. It has 0 handlers.",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the buttons are\n%s\nand not\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The shard of an informer stands at its reflector, and a workqueue says that it is paused.
func TestAShardAndAPauseAreSeen(t *testing.T) {
	f := viewtest.Frame()
	f.Reflector.Shard, f.Work.Fed, f.Work.Paused = "0/2", true, true
	for part, want := range map[string]string{"st-reflector": "shard0/2", "st-work": "paused"} {
		if text := shown(t, "en", f, part).TextContent(); !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
}

// Two processes that lead at once are both seen to do so, and the one that the Lease names.
func TestTwoLeadersAreSeen(t *testing.T) {
	f := viewtest.Frame()
	f.Process = link.Process{Informers: []link.Small{{Name: "pods"}, {Name: "b/pods"}}, Replicas: []link.Replica{
		{Name: "a", State: link.ReplicaLeads, Shown: true}, {Name: "b", State: link.ReplicaLeads, Leads: true}, {Name: "c", State: link.ReplicaWaits, Remaining: 3e9, Cut: true}}}
	text := shown(t, "en", f, "informers").TextContent()
	for _, want := range []string{"aleads", "bleadsin the Lease", "cwaits · lease expires in", "cut off"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
}
