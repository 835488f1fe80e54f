package try

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/replay/testserver"
)

// TestWaitCountsTicks holds that a client gets the time that it is given, however long the machine stalls meanwhile.
func TestWaitCountsTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lane{ctx: t.Context(), process: &process{ended: make(chan struct{})}, wire: newWire(), deadline: time.Now().Add(time.Hour)}
		looked := 0
		got := l.wait(time.Second, func() bool {
			looked++
			time.Sleep(10 * time.Second) // the machine stalls
			return false
		})
		if got != late || looked < int(time.Second/tick) {
			t.Errorf("%v after %d looks", got, looked)
		}
		if got := l.wait(time.Hour, func() bool { return false }); got != noTime {
			t.Errorf("%v when the time is over", got)
		}
	})
}

// TestNotPlayed holds that a client isn't blamed for a fault that was not played, and that the reason is said.
func TestNotPlayed(t *testing.T) {
	l := &lane{o: &Options{}, pace: pace{within: time.Minute}, process: &process{}}
	for id, most := range map[string]time.Duration{"close": 10 * time.Second, "compact": 30 * time.Second, "silence": time.Minute} {
		l.deadline = time.Now().Add(most)
		if v, err := l.playNext(&faults[indexOf(id)], 1); err != nil || v.Result != NotPlayed || v.Bad() || v.Reason != noTimeLeft {
			t.Errorf("%s: %+v, %v", id, v, err)
		}
	}
	at := pace{rest: 10 * time.Millisecond, hold: 10 * time.Millisecond, look: 10 * time.Millisecond, within: time.Minute, start: time.Minute}
	const exits = "the command has ended before it kept a watch open: exit status 3"
	for _, c := range []struct {
		words, faults string
		within        time.Duration
		results       []Result // one for each fault; one is NotPlayed
		reason        string
	}{
		{"leaves", "close", time.Second, []Result{NotPlayed}, "not everything was sent to the client before the fault, within 1.0 s"},
		{"stops alone FILE", "close reset", 3 * time.Second, []Result{NotWithin, NotPlayed}, "started again: " + exits},
		{"relist alone FILE", "close restore", 0, []Result{NotPlayed, Recovered}, "a second process of the command: " + exits},
	} {
		command := append([]string{os.Args[0], "client"}, strings.Fields(strings.ReplaceAll(c.words, "FILE", filepath.Join(t.TempDir(), "file")))...)
		r, err := runAt(t.Context(), Options{Command: command, Faults: strings.Fields(c.faults), Within: c.within}, at)
		if err != nil {
			t.Errorf("%s: %v", c.words, err)
			continue
		}
		var results []Result
		reason := ""
		for i := range r.Verdicts {
			v := &r.Verdicts[i]
			if results = append(results, v.Result); v.Result == NotPlayed {
				reason += v.Reason
			}
		}
		if c.within == 0 { // either process may be the second one
			slices.Sort(results)
		}
		if !slices.Equal(results, c.results) || !strings.HasPrefix(reason, c.reason) {
			t.Errorf("%s: %q, because %q: %+v", c.words, results, reason, r.Verdicts)
		}
	}
	at.start = 100 * time.Millisecond
	_, err := runAt(t.Context(), Options{Command: []string{os.Args[0], "client", "waits"}}, at)
	if !errors.Is(err, ErrNothingAsked) || !strings.Contains(err.Error(), "didn't connect") {
		t.Errorf("a client that doesn't connect: %v", err)
	}
}

// TestStormAfterStorm holds that what is usual is what was so before all faults: a storm in one fault doesn't hide that in another.
func TestStormAfterStorm(t *testing.T) {
	first := time.Now()
	l := &lane{calmTo: first, faultAt: first.Add(time.Minute)}
	r := &reader{}
	for i := range 100 {
		r.requests = append(r.requests, &exchange{at: first.Add(time.Duration(i) * time.Millisecond)})
	}
	for i := range 100 {
		r.requests = append(r.requests, &exchange{at: l.faultAt.Add(time.Duration(i) * time.Millisecond)})
	}
	v := &Verdict{}
	if v.judge(r, l); len(v.Problems) != 1 || v.Problems[0].ID != Storm {
		t.Errorf("%+v", v.Problems)
	}
}

// TestReadmeHelps holds that the README says of each fault what a client has to do, as reports do.
func TestReadmeHelps(t *testing.T) {
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		if !regexp.MustCompile("(?m)^\\| `" + f.ID + "` \\|.*\\| " + regexp.QuoteMeta(f.helps) + " \\|$").Match(b) {
			t.Errorf("%s: %s isn't there", f.ID, f.helps)
		}
	}
}

// TestLostForAMoment holds that a client whose watch is lost just when a fault begins is still expected to follow.
func TestLostForAMoment(t *testing.T) {
	server := testserver.New(testserver.Options{})
	defer server.Close()
	r := &reader{url: "/api/v1/configmaps", live: map[*exchange]struct{}{}}
	l := &lane{ctx: t.Context(), wire: newWire(), server: server, truths: map[*reader]truth{}, need: map[*reader]int{r: 1}, read: map[string]bool{}}
	l.wire.readers = []*reader{r}
	if l.note(time.Now()); l.need[r] != 1 || l.inStep() {
		t.Errorf("%d watches are expected, and it is in step: %v", l.need[r], l.inStep())
	}
}
