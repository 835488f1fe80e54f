package recordcmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/record/cluster"
	"github.com/informerscope/informerscope/replay/record/follow"
)

// How often progress is shown: on a terminal, and as lines elsewhere.
const (
	redrawEvery = 250 * time.Millisecond
	lineEvery   = 10 * time.Second
)

// recordProgress shows how far a recording is. On a terminal it redraws a table;
// elsewhere it prints a line now and then, and a line for each failure.
type recordProgress struct {
	out       io.Writer
	screen    *os.File // nil where out is no terminal
	name      string
	recording *cluster.Recording

	drawn   int // lines that the last table took
	samples []progressSample
	errorAt map[string]int64 // when the last printed error happened, by resource
}

// progressSample is how many events each resource had at a time, for its rate.
type progressSample struct {
	elapsed time.Duration
	events  map[string]int64
}

func newProgress(out io.Writer, name string, r *cluster.Recording) *recordProgress {
	p := &recordProgress{out: out, name: name, recording: r, errorAt: map[string]int64{}}
	if f, ok := terminal(out); ok {
		p.screen = f
	}
	return p
}

// run shows progress until ctx is done.
func (p *recordProgress) run(ctx context.Context) {
	tick := time.NewTicker(redrawEvery)
	defer tick.Stop()
	line := lineEvery
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		elapsed, now := p.recording.Elapsed(), p.recording.Progress()
		p.sample(elapsed, now)
		if p.screen != nil {
			width, height, err := term.GetSize(int(p.screen.Fd()))
			if err != nil {
				width, height = 80, 24
			}
			p.draw(p.table(elapsed, now, height-2), width)
			continue
		}
		p.failures(now)
		if elapsed >= line {
			line += lineEvery
			fmt.Fprintln(p.out, p.line(elapsed, now))
		}
	}
}

// sample keeps the counts of the last few seconds.
func (p *recordProgress) sample(at time.Duration, now []cluster.Progress) {
	const window = 3 * time.Second
	events := map[string]int64{}
	for _, r := range now {
		events[r.Name] = r.Events
	}
	p.samples = append(p.samples, progressSample{at, events})
	for len(p.samples) > 2 && at-p.samples[1].elapsed >= window {
		p.samples = p.samples[1:]
	}
}

// rate returns a resource's events per second over the last few seconds.
func (p *recordProgress) rate(r cluster.Progress, at time.Duration) float64 {
	first := p.samples[0]
	if at <= first.elapsed {
		return 0
	}
	return float64(r.Events-first.events[r.Name]) / (at - first.elapsed).Seconds()
}

// table returns what the terminal shows, in at most so many lines.
func (p *recordProgress) table(at time.Duration, now []cluster.Progress, most int) []string {
	total := p.total(at, now)
	out := []string{
		fmt.Sprintf("recording to %s for %s (Ctrl-C stops)", p.name, at.Round(time.Second)),
		fmt.Sprintf("%-36s %9s %8s %9s %7s  %s", "RESOURCE", "EVENTS", "/S", "SIZE", "LISTS", "STATE"),
	}
	row := func(name string, events int64, rate float64, bytes, lists int64, state string) {
		out = append(out, fmt.Sprintf("%-36s %9d %8.1f %9s %7d  %s", name, events, rate, plain.Size(bytes), lists, state))
	}
	room := max(most-len(out)-1, 1)
	for i, r := range now {
		if i == room-1 && len(now) > room {
			out = append(out, fmt.Sprintf("… and %d more", len(now)-i))
			break
		}
		row(cli.Printable(r.Name), r.Events, p.rate(r, at), r.Bytes, r.Lists, stateOf(r.Status, at))
	}
	row("all", total.events, total.rate, total.bytes, total.lists, "")
	return out
}

// draw replaces the lines that are on the screen.
func (p *recordProgress) draw(lines []string, width int) {
	var b strings.Builder
	if p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\r", p.drawn)
	}
	for _, l := range lines {
		if r := []rune(l); len(r) >= width {
			l = string(r[:max(width-1, 0)])
		}
		b.WriteString(l + "\x1b[K\n")
	}
	if p.drawn > len(lines) { // the terminal has become smaller
		b.WriteString("\x1b[J")
	}
	p.drawn = len(lines)
	io.WriteString(p.out, b.String())
}

// failures prints new errors.
func (p *recordProgress) failures(now []cluster.Progress) {
	for _, r := range now {
		if r.Err != nil && p.errorAt[r.Name] != r.WhyAt {
			p.errorAt[r.Name] = r.WhyAt
			fmt.Fprintf(p.out, "%s %s: %s\n", time.Duration(r.WhyAt).Round(time.Second), cli.Printable(r.Name), cli.Printable(r.Err.Error()))
		}
	}
}

// line returns the progress in one line.
func (p *recordProgress) line(at time.Duration, now []cluster.Progress) string {
	t := p.total(at, now)
	s := fmt.Sprintf("%s: %d events, %.1f/s, %s;", at.Round(time.Second), t.events, t.rate, plain.Size(t.bytes))
	for _, r := range now {
		if r.Events > 0 {
			s += fmt.Sprintf(" %s %d", cli.Printable(r.Name), r.Events)
		}
	}
	return strings.TrimSuffix(s, ";")
}

// totals are sums over all resources.
type totals struct {
	events, bytes, lists, relists int64
	rate                          float64
}

func (p *recordProgress) total(at time.Duration, now []cluster.Progress) (t totals) {
	for _, r := range now {
		t.events += r.Events
		t.bytes += r.Bytes
		t.lists += r.Lists
		t.relists += r.Relists
		if len(p.samples) > 0 {
			t.rate += p.rate(r, at)
		}
	}
	return t
}

// summary prints what was recorded. written is the file's size in bytes.
func (p *recordProgress) summary(written int64) {
	at, now := p.recording.Elapsed(), p.recording.Progress()
	if p.screen == nil {
		p.failures(now)
	}
	t := p.total(at, now)
	fmt.Fprintf(p.out, "%s: %s, %s (%s), %s in %s; %s in the file\n",
		p.name, plain.Plural(len(now), "resource"), plural(t.lists, "list"), plural(t.relists, "relist"), plural(t.events, "event"), at.Round(time.Second), plain.Size(written))
}

// stateOf says what a resource's follower does.
func stateOf(s follow.Status, at time.Duration) string {
	if s.State != follow.Waiting || s.Reason == follow.None {
		return s.State.String()
	}
	left := max(0, time.Duration(s.Until)-at).Round(time.Second)
	return fmt.Sprintf("tries again in %s: %s", left, cli.Printable(s.Err.Error()))
}

// terminal returns w as a file if it is a terminal.
func terminal(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// plural formats a number of things that are called one.
func plural[N int | int64](n N, singular string) string {
	return plain.Plural64(int64(n), singular, singular+"s")
}
