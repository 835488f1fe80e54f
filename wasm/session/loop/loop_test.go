package loop_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/host"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/loop"
)

// visit is a visit of the loop, with the worker's host, in a browser whose clock the test moves.
type visit struct {
	browser.Browser
	t       *testing.T
	files   map[string][]byte
	host    *host.Host
	m       *session.Model
	waiting []session.Msg
	turns   []func()
	ticks   bool
	now     float64
}

// visits opens a beat of the loop.
func visits(t *testing.T) *visit {
	t.Helper()
	v := &visit{t: t, m: session.New("", "", -1), files: map[string][]byte{}}
	for name, path := range map[string]string{"scripts/loop.txt": "../../../engine/script/testdata/loop.txt", "locales/en.json": "../../../web/locales/en.json"} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		v.files[name] = b
	}
	var script strings.Builder
	for line := range strings.Lines(string(v.files["scripts/loop.txt"])) { // as the build serves it
		if said, ok := strings.CutPrefix(line, "> "); ok {
			script.WriteString(said)
		}
	}
	v.files["scripts/loop.txt"] = []byte(script.String())
	v.host = host.New(v)
	v.take(session.Preferred{}, session.Started{})
	return v
}

// take has the page take messages, and does all that follows but ticks.
func (v *visit) take(messages ...session.Msg) {
	v.t.Helper()
	v.waiting = append(v.waiting, messages...)
	for len(v.waiting)+len(v.turns) > 0 {
		if len(v.waiting) == 0 {
			f := v.turns[0]
			v.turns = v.turns[1:]
			f()
			continue
		}
		m := v.waiting[0]
		v.waiting = v.waiting[1:]
		for _, c := range v.m.Update(m) {
			switch c := c.(type) {
			case desk.Send:
				v.host.Handle(c.Request.Encode(), nil)
			case session.Painted:
				v.Later(func() { v.host.Handle((&link.Request{Op: link.Painted{}}).Encode(), nil) })
			case session.Tick:
				v.ticks = true
			case session.Speak:
				var words map[string]string
				if err := json.Unmarshal(v.files["locales/en.json"], &words); err != nil {
					v.t.Fatal(err)
				}
				v.waiting = append(v.waiting, session.Spoke{Lang: c.Lang, Words: words})
			case desk.Complain:
				v.t.Error(c.Text)
			}
		}
	}
}

// act presses something of the page.
func (v *visit) act(act, arg, value string) {
	v.t.Helper()
	v.take(session.Acted{Act: act, Arg: arg, Value: value})
}

// playUntil paints, 60 times a second, until something is so.
func (v *visit) playUntil(what string, is func(m *loop.Model) bool) {
	v.t.Helper()
	for range 60 * 60 {
		if is(&v.m.Loop) {
			return
		}
		v.paint()
	}
	v.t.Fatalf("a minute has passed, and not: %s", what)
}

func (v *visit) paint() {
	v.t.Helper()
	v.now += 1000. / 60
	if v.ticks {
		v.ticks = false
		v.take(session.Ticked{Now: v.now})
	}
}

func (v *visit) Send(reply []byte) {
	r, err := link.DecodeReply(reply)
	if err != nil {
		v.t.Fatal(err)
	}
	v.waiting = append(v.waiting, session.Replied{Reply: r})
}

func (v *visit) StoreText(text string) browser.Stored { return &file{v: v, content: []byte(text)} }
func (v *visit) Later(f func())                       { v.turns = append(v.turns, f) }
func (v *visit) Complain(what string)                 { v.t.Error(what) }
func (v *visit) Debug(string)                         {}
func (v *visit) Now() int64                           { return 0 }
func (v *visit) After(int64, func()) (stop func())    { return func() {} }
func (v *visit) Fetch(url string) browser.Input       { return &file{v: v, content: v.files[url]} }

// file is a file of the page.
type file struct {
	browser.Stored
	v       *visit
	content []byte
}

func (f *file) Size() int64 { return 0 }
func (f *file) Hold(bool)   {}
func (f *file) Stream(chunk func([]byte, int64), end func(error)) (cancel func()) {
	f.v.Later(func() {
		chunk(f.content, int64(len(f.content)))
		end(nil)
	})
	return func() {}
}

// resting reports whether the story waits for the viewer.
func resting(m *loop.Model) bool { return m.Visible() && !m.Playing && m.Resting() }

// Whatever is answered, the machine tells the same: the copy has all changes long before the handler, which takes a second,
// is told of the last one, and nothing is lost. Then the slider decides whether notifications pile up.
func TestASlowHandlerHoldsUpNobody(t *testing.T) {
	for answer := range loop.Answers {
		v := visits(t)
		v.playUntil("the loop is there", (*loop.Model).Visible)
		v.act("loopBeat", "4", "")
		v.playUntil("it asks", func(m *loop.Model) bool { return m.Beat == loop.AtHold && resting(m) })
		v.act("loopSlow", "", "100")
		if h := v.m.Loop.Hold; h.Live {
			t.Fatal("the slider moves before the machine has judged")
		}
		v.act("loopGuess", string(rune('1'+answer)), "")
		v.playUntil("it has judged", func(m *loop.Model) bool { return m.Hold.Correct() > 0 })
		h := v.m.Loop.Hold
		if h.Correct() != 2 || h.Answer != answer+1 || h.Calls != h.Changes || h.Copied > 1e8 || h.Notified < 19e8 || h.Notified > 21e8 || h.CopiedStep == 0 || h.ToldStep <= h.CopiedStep {
			t.Fatalf("answer %d is judged by %+v", answer+1, h)
		}
		v.playUntil("it waits", resting)

		v.act("loopSlow", "", "900")
		v.playUntil("notifications pile up", func(m *loop.Model) bool { return m.Waiting() >= 4 })
		v.act("loopSlow", "", "0")
		v.playUntil("it has caught up", func(m *loop.Model) bool { return m.Waiting() == 0 })
		v.act("loopSlow", "", "200")
		for v.m.Loop.Playing {
			v.paint()
			if n := v.m.Loop.Waiting(); n > 1 {
				t.Fatalf("%d wait for a handler that takes 200 ms", n)
			}
		}
	}
}

// A row is drawn as it was until what changes it has arrived, in the cluster's shelf and in the cache's, and so are the
// counts: nothing that is drawn changes while something is on a leg.
func TestAThingIsWhereItWasUntilItArrives(t *testing.T) {
	v := visits(t)
	v.playUntil("the loop is there", (*loop.Model).Visible)
	v.act("loopBeat", "2", "")
	v.playUntil("it waits", resting)
	for _, act := range []string{"loopDelete", "loopDelete", "loopBreak"} {
		v.act(act, "", "")
		legs, before, n := 0, "", 0
		for !resting(&v.m.Loop) {
			m := &v.m.Loop
			if m.Leg.Millis > 0 && m.Leg.N != n {
				legs, before, n = legs+1, drawn(m), m.Leg.N
			}
			if m.Leg.Millis > 0 && m.Leg.N == n && drawn(m) != before {
				t.Fatalf("%s: while leg %d from %s to %s is under way, what is drawn changes:\n%s%s", act, n, m.Leg.From, m.Leg.To, before, drawn(m))
			}
			if m.Leg.Millis == 0 && n == m.Leg.N && before != "" {
				if after := drawn(m); after == before && m.Leg.To != loop.Watcher { // it says what it has heard when it has handed it on
					t.Errorf("%s: leg %d from %s to %s has arrived, and nothing that is drawn has changed:\n%s", act, n, m.Leg.From, m.Leg.To, after)
				}
				before = ""
			}
			v.paint()
		}
		if legs < 4 {
			t.Errorf("%s has %d legs", act, legs)
		}
	}
}

// A beat begins where the story does, whatever the machine was asked for before: a step that comes late is no part of it.
func TestABeatBeginsWhereTheStoryDoes(t *testing.T) {
	v := visits(t)
	v.playUntil("the loop is there", (*loop.Model).Visible)
	v.act("loopBeat", "2", "")
	v.playUntil("it waits", resting)
	begins, late := drawn(&v.m.Loop), 0
	v.act("loopDelete", "", "")
	for !resting(&v.m.Loop) {
		v.paint()
		if !v.ticks {
			continue
		}
		v.ticks = false
		v.now += 1000
		v.take(session.Ticked{Now: v.now}, session.Acted{Act: "loopBeat", Arg: "5"}) // the answer to the first comes after the second
		v.playUntil("the doors are there", (*loop.Model).Visible)
		if is := drawn(&v.m.Loop); is != begins {
			t.Fatalf("after %d beats, one begins with\n%s, and the story with\n%s", late, is, begins)
		}
		late++
		v.act("loopBeat", "2", "")
		v.playUntil("it waits", resting)
		v.act("loopDelete", "", "")
		for range late * 5 {
			v.paint()
		}
	}
	if late < 10 {
		t.Errorf("only %d beats were begun", late)
	}
}

// drawn writes what the frame that is drawn has of rows, counts and calls.
func drawn(m *loop.Model) string {
	var b strings.Builder
	for _, r := range m.Rows() {
		b.WriteString(r.Key + " " + r.ServerVersion + " " + r.Copy + "\n")
	}
	f := m.Frame
	b.WriteString(f.Reflector.RV + " " + string(rune('0'+f.Queue.Depth)))
	for _, l := range f.Processor.Listeners {
		b.WriteString(" " + string(rune('0'+l.Behind)) + l.Func)
	}
	for _, w := range f.Work.Workers {
		b.WriteString(" " + w.Key)
	}
	return b.String() + "\n"
}

// A change with what a worker writes after it goes round in about twelve seconds. What a deletion and a cut bring is told
// sooner than in 14 and 20.
func TestARoundTakesTwelveSeconds(t *testing.T) {
	v := visits(t)
	v.playUntil("the loop is there", (*loop.Model).Visible)
	for _, c := range []struct {
		act         string
		least, most float64 // seconds
	}{{"", 10, 14}, {"loopDelete", 4, 14}, {"loopDelete", 4, 14}, {"loopBreak", 10, 20}} {
		begun := v.now
		if c.act != "" {
			v.act(c.act, "", "")
		}
		v.playUntil("it goes round", func(m *loop.Model) bool { return m.Playing })
		v.playUntil("it waits", resting)
		if took := (v.now - begun) / 1000; took < c.least || took > c.most {
			t.Errorf("%q takes %.1f s, and %v to %v are wanted", c.act, took, c.least, c.most)
		}
	}
}
