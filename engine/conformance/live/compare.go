package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// engine plays a whole script on the driver, as a version in which a gate is turned over, if flip has one.
func engine(t *testing.T, d *proof.Driver, v *Version, script []Op, flip string) []string {
	t.Helper()
	return proof.PlayOn(t, d, v.Name, flip, script)
}

// compare plays a script on both. It returns the results of each and the number of
// the first line that differs, or -1.
func compare(t *testing.T, d *proof.Driver, v *Version, script []Op) (real, ours []string, at int) {
	t.Helper()
	ours = engine(t, d, v, script, "")
	real, at = compareOnce(t, v, script, ours)
	return real, ours, at
}

// compareOnce plays a script to client-go, and compares with what the engine has printed.
//
// In an informer that was run twice, several pops share one pendingNotifications
// without a lock. That is a race in the library, and the engine shows one of its
// outcomes. With one processor the library nearly always has the same outcome.
// Only if ten plays all have another one, the two differ.
func compareOnce(t *testing.T, v *Version, script []Op, ours []string) (real []string, at int) {
	t.Helper()
	plays := 1
	if v.oldest() && slices.ContainsFunc(script, func(op Op) bool { return op.Op == "inf.run2" }) {
		plays = 10
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	}
	for i := 0; i < plays && at >= 0; i++ {
		real = Play(t, v, script)
		at = v.firstDifference(script, real, ours)
	}
	return real, at
}

// firstDifference returns the number of the first line in which two machines differ that both are to be v, or -1, by what each
// printed for a script. What v leaves to chance is not compared.
func (v *Version) firstDifference(script []Op, a, b []string) int {
	if v.streamsApart() && script[0].Gates["WatchListClient"] {
		a, b = unstopped(a), unstopped(b)
	}
	return differs(raced(a), raced(b))
}

// unstopped leaves out of results that the library has stopped a watch.
func unstopped(results []string) (out []string) {
	for _, line := range results {
		line = strings.ReplaceAll(line, `"watch.stop",`, "")
		line = strings.ReplaceAll(line, `"calls":["watch.stop"],`, "")
		out = append(out, strings.ReplaceAll(line, `,"watch.stop"`, ""))
	}
	return out
}

// random are the fields of results that differ from run to run.
var random = []string{"version", "jitteredMs"}

// differs returns the number of the first line that differs, or -1. It doesn't
// compare random results.
func differs(a, b []string) int { return proof.Differs(a, b, random...) }

func decode(line string) map[string]any { return proof.Decode(line, random...) }

// pastBackoff is how long a script lets pass in a back-off, in ms: more than the longest one, which is a minute,
// and another second. The request that follows a back-off is sent at a random time. If its watch is closed with no
// event, it counts as a very short one when that was within a second, which nothing but chance would decide.
const pastBackoff = 61_002

// comparable reports whether a script has only one possible outcome. It has
// several if time passes that may or may not end a back-off, because back-offs are
// random; if that moves the handlers' resyncs; if two controllers of one informer
// are in a back-off at the same time; if the informer is stopped twice; and if a stop comes while the process loop is at
// work on a relist, whose deletions come out of a map.
func comparable(script []Op, real []string, v *Version) bool {
	started, stopped, over, resyncs, listed := false, false, false, false, false
	running, awaiting, open := 0, 0, 0
	for i, op := range script {
		backoff := started && !over && awaiting+open < running
		if running > 1 && !stopped && awaiting+open < running-1 {
			return false
		}
		switch op.Op {
		case "advance":
			if backoff && op.Ms < pastBackoff {
				return false
			}
			over = over || stopped && backoff
		case "inf.waitCall":
			if resyncs {
				return false
			}
		case "inf.new", "inf.addHandler":
			resyncs = resyncs || op.ResyncMs != nil
		case "inf.start":
			if started {
				return false
			}
			started, running = true, 1
		case "inf.run2":
			if !started {
				return false
			}
			if v.oldest() {
				running++
			}
		case "inf.stop", "inf.stopAtWork":
			if stopped || listed && op.Op == "inf.stopAtWork" {
				return false
			}
			stopped, over = true, !backoff
		}
		out := decode(real[i])
		_, failed := out["err"]
		listed = listed || op.Op == "inf.list" && op.Err == "" && !failed
		if op.Op == "inf.watch" && op.Err == "" && !failed {
			open++
		}
		calls, _ := out["calls"].([]any)
		for _, c := range calls {
			if text := c.(string); text == "watch.stop" {
				open--
			} else if strings.HasPrefix(text, "list") && running == 1 {
				open = 0
			}
		}
		a, _ := out["awaiting"].([]any)
		awaiting = len(a)
	}
	return true
}

// shrink removes operations as long as the two still differ.
func shrink(t *testing.T, d *proof.Driver, v *Version, script []Op) []Op {
	t.Helper()
	// The beginning of a script has to stay: config, new, start.
	return proof.Shrink(script, 2, func(s []Op) int {
		real, _, at := compare(t, d, v, s)
		if !comparable(s, real, v) {
			return -1
		}
		return at
	})
}

// report describes how the engine and the library differ on a script, which first showed at operation
// at, with the shortest script that still shows it. If not even the same script shows it again, what came
// the first time is described.
func report(t *testing.T, d *proof.Driver, v *Version, script []Op, real, ours []string, at int) {
	t.Helper()
	again := ""
	shortest := shrink(t, d, v, script)
	if r, o, first := compare(t, d, v, shortest); first >= 0 {
		script, real, ours, at = shortest, r, o, first
	} else {
		again = ", which it doesn't when the script is played again"
	}
	var b bytes.Buffer
	for _, op := range script {
		line, _ := json.Marshal(op)
		fmt.Fprintf(&b, "%s\n", line)
	}
	t.Errorf("the engine differs from client-go %s%s:\n%soperation %d:\nclient-go %s\nengine    %s", v.Name, again, b.String(), at, real[at], ours[at])
}

// Compare compares on one script.
func Compare(t *testing.T, v *Version, script []Op) {
	t.Helper()
	d := proof.Start(t)
	if real, ours, at := compare(t, d, v, script); at >= 0 {
		report(t, d, v, script, real, ours, at)
	}
}

// Panic returns the engine's message if a script's last operation ends the process, and
// "" otherwise.
func Panic(t *testing.T, v *Version, script []Op) string {
	t.Helper()
	out := engine(t, proof.Start(t), v, script, "")
	text, _ := decode(out[len(out)-1])["panic"].(string)
	return text
}

var handled = regexp.MustCompile(`"handledErrors":\d+,`)

// raced leaves out of results whether an error was handled in a stop that comes while a streaming list is asked for, and in
// a start after the stop. The reflector asks for a list then, which fails at once, and its select may see the failure
// before it sees the stop. A list of any other start is not answered yet.
func raced(results []string) (out []string) {
	for _, line := range results {
		if (strings.Contains(line, `"op":"inf.stop"`) || strings.Contains(line, `"op":"inf.start"`)) && strings.Contains(line, `"calls":["list `) {
			line = handled.ReplaceAllString(line, "")
		}
		out = append(out, line)
	}
	return out
}

// RacedStops checks that whether the list of a stop is heard of as an error is not compared, and that everything else is.
func RacedStops(t *testing.T) {
	const stop, without = `{"awaiting":[],"calls":["list rv=\"179\""],"handledErrors":1,"hasSynced":true,"i":48,"op":"inf.stop"}`, `{"awaiting":[],"calls":["list rv=\"179\""],"hasSynced":true,"i":48,"op":"inf.stop"}`
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{stop, without, true},
		{strings.Replace(stop, "inf.stop", "inf.start", 1), strings.Replace(without, "inf.stop", "inf.start", 1), true},
		{stop, `{"awaiting":[],"calls":["list rv=\"179\""],"hasSynced":false,"i":48,"op":"inf.stop"}`, false},
		{`{"calls":["watch.stop"],"handledErrors":1,"i":48,"op":"inf.stop"}`, `{"calls":["watch.stop"],"i":48,"op":"inf.stop"}`, false},
		{`{"calls":["list rv=\"179\""],"handledErrors":1,"i":48,"op":"inf.watchClose"}`, `{"calls":["list rv=\"179\""],"i":48,"op":"inf.watchClose"}`, false},
	} {
		if at := differs(raced([]string{c.a}), raced([]string{c.b})); (at < 0) != c.same {
			t.Errorf("%s\n%s\nare the same: %v", c.a, c.b, !c.same)
		}
	}
}

// determined returns the metrics of an informer that don't depend on chance. How many deltas are a batch depends on
// when the process loop comes. Which object is written last depends on the order of a map, unless all are written at
// once.
func determined(gates map[string]bool) []string {
	on := func(gate string) bool {
		on, set := gates[gate]
		return on || !set
	}
	names := []string{"queuedItems"}
	if on("InOrderInformers") && on("AtomicFIFO") {
		names = append(names, "storeResourceVersion")
	}
	if !on("InOrderInformersBatchProcess") {
		names = append(names, "processingLatency.count")
	}
	return names
}

// counted reports whether the metric of a store has the resourceVersion rv. A version that is no number leaves the
// metric at an earlier one, and which that is depends on the batches.
func counted(rv string) bool {
	_, err := strconv.ParseInt(rv[max(0, len(rv)-15):], 10, 64)
	return rv == "" || err == nil
}
