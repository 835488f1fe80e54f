package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// transport compares on random scenarios of a transport that fails.
func (c *comparison) transport(t *testing.T) {
	for _, writer := range c.writers {
		for seed := *proof.From; seed < *proof.From+*proof.Seeds; seed++ {
			s := scenario(seeded(seed), writer)
			s.WatchList = s.WatchList && c.v.streams()
			r := playOn(t, c.driver.Bin, c.v, s)
			if said := unlike(r.real, r.engine); said != "" {
				s, said = shorter(t, c.driver.Bin, c.v, s, said)
				b, err := json.Marshal(s)
				if err != nil {
					t.Fatal(err)
				}
				t.Errorf("seed %d of %s: the engine differs from client-go %s:\n%s\n%s", seed, writer.Name, c.v.Name, b, said)
				return
			}
			n := c.tally(writer)
			if n.played++; writer != c.v && unlike(onEngine(t, c.driver.Bin, writer, r.Scenario, ""), r.engine) != "" {
				n.differ++
			}
			c.flips.try(fmt.Sprintf("%s, seed %d of %s", t.Name(), seed, writer.Name), func(gate string) bool {
				return unlike(onEngine(t, c.driver.Bin, c.v, r.Scenario, gate), r.engine) != ""
			})
		}
	}
}

func scenario(r *rand.Rand, v *Version) Scenario {
	s := Scenario{RunMs: 1e9, MaxRequests: 6 + r.Intn(30), Client: "generic", WatchList: v.streams() && r.Intn(3) == 0, Answers: map[string][]ScriptedReply{}}
	for _, kind := range []string{"list", "watch", "stream"} {
		for range r.Intn(8) {
			a := answerOf(r, kind)
			for range 1 + r.Intn(2)*r.Intn(12) { // up to more than a request tries
				s.Answers[kind] = append(s.Answers[kind], a)
			}
		}
	}
	return s
}

func answerOf(r *rand.Rand, kind string) ScriptedReply {
	pick := func(choices ...string) string { return choices[r.Intn(len(choices))] }
	codes := []struct {
		code   int
		reason string
	}{{401, "Unauthorized"}, {403, "Forbidden"}, {404, "NotFound"}, {410, "Expired"}, {410, "Gone"}, {429, "TooManyRequests"}, {429, "TooManyRequests"},
		{500, "InternalError"}, {502, "BadGateway"}, {503, "ServiceUnavailable"}, {503, "ServiceUnavailable"}, {504, "Timeout"}}
	code := codes[r.Intn(len(codes))]
	switch n := r.Intn(10); {
	case n < 4:
		return ScriptedReply{Result: "error", Error: pick("refused", "reset", "eof", "unexpected-eof", "net-timeout", "closed", "http2-lost", "http2-lost", "http2-goaway", "x509", "no-such-host")}
	case n < 7:
		return ScriptedReply{Result: "status", Code: code.code, Reason: code.reason, RetryAfter: pick("", "", "0", "1", "7", "-1", "soon", "Wed, 21 Oct 2026 07:28:00 GMT")}
	case n == 7:
		return ScriptedReply{Result: "good", DelayMs: int64(r.Intn(4)) * 700}
	case kind == "list":
		a := ScriptedReply{Result: "list", RV: pick("10", "11", "12"), Continue: pick("", "", "more")}
		for _, name := range []string{"a", "b", "c"} {
			if r.Intn(2) == 0 {
				a.Items = append(a.Items, name+"@"+pick("5", "7", "9"))
			}
		}
		return a
	}
	a := ScriptedReply{Result: "stream", End: pick("eof", "eof", "reset", "unexpected-eof", "net-timeout", "http2-lost", "closed")}
	for i := range r.Intn(4) {
		step := StreamStep{Ev: pick("ADDED", "MODIFIED", "DELETED"), O: pick("a", "b", "c") + "@" + fmt.Sprint(20+i), SleepMs: int64(r.Intn(3)) * 600}
		switch r.Intn(8) {
		case 0:
			step = StreamStep{Ev: "BOOKMARK", RV: fmt.Sprint(20 + i), InitialEnd: kind == "stream" && r.Intn(2) == 0}
		case 1:
			step = StreamStep{Ev: "ERROR", Code: code.code, Reason: code.reason}
		case 2:
			step = StreamStep{SleepMs: step.SleepMs, Raw: fmt.Sprintf(`{"type":"%s","object":{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"ns","resourceVersion":"%d"}}}`+"\n", step.Ev, 20+i)}
		}
		a.Steps = append(a.Steps, step)
	}
	return a
}

// playedOn is what each did in a scenario, in which the engine has client-go's chances.
type playedOn struct {
	Scenario
	real, engine []map[string]any
}

func playOn(t *testing.T, bin string, v *Version, s Scenario) (r playedOn) {
	t.Helper()
	lines, asked := PlayTransport(t, v, s)
	b, err := json.Marshal(lines)
	if err == nil {
		err = json.Unmarshal(b, &r.real)
	}
	if err != nil {
		t.Fatal(err)
	}
	sortCalls(r.real)
	r.Scenario, r.Asked = s, asked
	r.engine = onEngine(t, bin, v, r.Scenario, "")
	return r
}

// unlike says how the two differ, or nothing.
func unlike(real, engine []map[string]any) string {
	for i := range max(len(engine), len(real)) {
		if i >= len(engine) || i >= len(real) {
			return fmt.Sprintf("client-go did %d things, the engine %d:\n%s", len(real), len(engine), tail(real, engine, i))
		}
		if !reflect.DeepEqual(plain(engine[i]), plain(real[i])) {
			return tail(real, engine, i)
		}
	}
	return ""
}

// plain returns a line without what only the engine's says. Both ends may end a stream in one instant, so how it ended is
// not compared, either. Of a Status the code and the reason are compared, and of another error that it is none. Times
// are compared to the tenth of a millisecond.
func plain(line map[string]any) map[string]any {
	line = maps.Clone(line)
	for _, name := range []string{"jitter", "tMs", "answer", "how"} {
		delete(line, name)
	}
	if line["initial"] == false {
		delete(line, "initial")
	}
	if class, ok := line["class"].(string); ok {
		words := strings.Split(class, " ")
		if words[0] != "Status" {
			words = nil
		}
		line["class"] = strings.Join(words[:min(3, len(words))], " ")
	}
	if ms, ok := line["dtMs"].(float64); ok {
		line["dtMs"] = math.Round(10 * ms)
	}
	return line
}

// onEngine returns what the engine does in a scenario, with a gate turned over if flip has one.
func onEngine(t *testing.T, bin string, v *Version, s Scenario, flip string) (engine []map[string]any) {
	t.Helper()
	in, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "-client-go", v.Name, "-transport", "-flip", flip)
	cmd.Stdin = bytes.NewReader(in)
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("the driver: %v", err)
	}
	synced := false
	for line := range strings.Lines(string(text)) {
		switch out := decode(line); out["ev"] {
		case "stop":
		case "synced": // is asked at the end
			synced = true
		default:
			engine = append(engine, out)
		}
	}
	if synced {
		engine = append(engine, map[string]any{"ev": "synced"})
	}
	sortCalls(engine)
	return engine
}

// sortCalls sorts the handler calls between two requests, ends or errors: their order
// may come out of a map, and is compared by other scripts.
func sortCalls(lines []map[string]any) {
	call := func(line map[string]any) string { text, _ := line["call"].(string); return text }
	for i := 0; i < len(lines); i++ {
		j := i
		for j < len(lines) && call(lines[j]) != "" {
			j++
		}
		slices.SortFunc(lines[i:j], func(a, b map[string]any) int { return strings.Compare(call(a), call(b)) })
		i = j
	}
}

// tail shows both from a few lines before the one at which they differ.
func tail(real, engine []map[string]any, at int) string {
	var b strings.Builder
	show := func(name string, lines []map[string]any) {
		for i := max(0, at-3); i < min(len(lines), at+2); i++ {
			text, _ := json.Marshal(lines[i])
			fmt.Fprintf(&b, "%s %3d %s\n", name, i, text)
		}
	}
	show("client-go", real)
	show("engine   ", engine)
	return b.String()
}

// shorter removes answers and requests as long as the two differ.
func shorter(t *testing.T, bin string, v *Version, s Scenario, said string) (Scenario, string) {
	t.Helper()
	try := func(c Scenario) bool {
		r := playOn(t, bin, v, c)
		how := unlike(r.real, r.engine)
		if how != "" {
			s, said = c, how
		}
		return how != ""
	}
	for n := 1; n < s.MaxRequests; n++ {
		c := s
		if c.MaxRequests = n; try(c) {
			break
		}
	}
	for _, kind := range []string{"list", "watch", "stream"} {
		for i := 0; i < len(s.Answers[kind]); {
			c := s
			c.Answers = map[string][]ScriptedReply{}
			for k, answers := range s.Answers {
				c.Answers[k] = answers
			}
			c.Answers[kind] = slices.Delete(slices.Clone(s.Answers[kind]), i, i+1)
			if !try(c) {
				i++
			}
		}
	}
	return s, said
}
