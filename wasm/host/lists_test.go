package host

import (
	"bytes"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// firstList is what is said of the first list in the run that is shown.
func (p *page) firstList() string {
	p.t.Helper()
	for step := int64(1); step < 40; step++ {
		f := p.frame(link.Seek{Step: step})
		if id := f.Sentence.ID; id == "step.listReceived" || id == "step.watchOpenedStreaming" {
			if f.Reason != nil {
				id += " " + f.Reason.ID
			}
			return id
		}
	}
	return ""
}

// An ordinary list of the recording is played as one, whatever the version asks for, unless the
// viewer says otherwise. The list then says that it was converted.
func TestOrdinaryListsStayOrdinary(t *testing.T) {
	p := newPage(t)
	o := last(p.ask(link.Open{Name: "shop"}, shop(t)), openedOf)
	if !o.Setup.Listed || !slices.ContainsFunc(o.Informers, func(x link.Informer) bool { return x.Name == "pods" && x.Listed }) {
		t.Fatalf("the setup is %+v, and the informers are %+v", o.Setup, o.Informers)
	}
	for _, c := range []struct {
		profile string
		listed  bool
		says    string
	}{
		{"classic", true, "step.listReceived"},
		{"classic", false, "step.listReceived"},
		{"current", true, "step.listReceived"},
		{"current", false, "step.watchOpenedStreaming why.streamConverted"},
	} {
		s := o.Setup
		s.Profile, s.Listed = c.profile, c.listed
		p.ask(link.SetUp{Setup: s}, nil)
		if said := p.firstList(); said != c.says {
			t.Errorf("%s, %v: it says %s", c.profile, c.listed, said)
		}
	}
}

// A streaming list that is asked for as an ordinary one says that it was converted.
func TestStreamingListsSayThatTheyAreConverted(t *testing.T) {
	p := newPage(t)
	o := last(p.ask(link.Open{Name: "pods"}, recording(t, "../../replay/format/testdata/pods-streaminglist.ndjson.gz")), openedOf)
	if o.Informers[0].Listed {
		t.Fatal("the recording has an ordinary list")
	}
	if said := p.firstList(); said != "step.listReceived why.listConverted" {
		t.Errorf("it says %s", said)
	}
}

// A future that is saved opens with the lists of the run that it was made in.
func TestFuturesKeepTheirLists(t *testing.T) {
	for _, listed := range []bool{true, false} {
		p := newPage(t)
		s := last(p.ask(link.Open{Name: "shop"}, shop(t)), openedOf).Setup
		s.Profile, s.Listed = "current", listed
		p.ask(link.SetUp{Setup: s}, nil)
		p.ask(link.Seek{Step: 900}, nil)
		p.ask(link.PlayLine{Line: "break watch"}, nil)
		want := p.frame(link.Seek{Step: 1000})
		data := p.saves(link.Redact{Share: true})
		if bytes.Contains(data, []byte(`"listed":true`)) != listed {
			t.Errorf("%v: the trace doesn't have it", listed)
		}
		again := newPage(t)
		o := last(again.ask(link.Open{Name: "again"}, &file{data: data, piece: 10_000}), openedOf)
		if f := again.frame(link.Seek{Step: 1000}); o.Setup.Listed != listed || f.Time != want.Time || f.Sentence.ID != want.Sentence.ID {
			t.Errorf("%v: it opens %+v at %d, not at %d", listed, o.Setup, f.Time, want.Time)
		}
	}
}
