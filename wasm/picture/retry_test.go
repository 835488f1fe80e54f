package picture

import (
	"testing"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// explained is a recording in which the server explained each failure.
type explained struct{ apiserver.Records }

func (s explained) Message(i int) string {
	if s.Records[i].Failure != apiserver.NoFailure {
		return "connection reset by peer"
	}
	return ""
}

// TestWhileRequestRetries: the stage shows that the reflector waits, and for what.
func TestWhileRequestRetries(t *testing.T) {
	table := object.NewTable(nil)
	feed := explained{apiserver.Records{
		{Kind: apiserver.ListBegin}, {Kind: apiserver.ListError, Failure: apiserver.Reset},
		{Kind: apiserver.ListBegin, Time: 1e9}, {Kind: apiserver.ListEnd, Time: 1e9},
	}}
	h, err := history.NewPassing(&world.Config{Informers: []informer.Config{{Name: "pods", Profile: world.Classic, Table: table, Feed: feed}}})
	if err != nil {
		t.Fatal(err)
	}
	frame := func() *link.Frame {
		w := h.Front()
		return New(w, w.Informers[0], link.Window{Tape: 8, Queue: 8, Store: 8, Pending: 8, Work: 8}, NewRanks(table)).Frame()
	}
	states := map[string]*link.Frame{}
	for h.Extend(1) > 0 {
		if f := frame(); states[f.Reflector.State] == nil {
			states[f.Reflector.State] = f
		}
	}
	f := states[link.ReflectorRetrying]
	if f == nil || states[link.ReflectorBackoff] != nil {
		t.Fatalf("the reflector was seen in %d states", len(states))
	}
	if f.Reflector.Error != "connection reset by peer" || f.Reflector.Lists != 1 {
		t.Errorf("while rest.Request waits, the reflector is %+v", f.Reflector)
	}
	if f.Sentence.ID != "step.requestFailed" || f.Sentence.Args["reason"].V != "connection reset by peer" || f.Reason == nil {
		t.Errorf("the step is explained by %+v, because of %+v", f.Sentence, f.Reason)
	}
	if last := frame(); last.Reflector.State != link.ReflectorWatching || last.Reflector.Error != "" {
		t.Errorf("in the end the reflector is %+v", last.Reflector)
	}
}
