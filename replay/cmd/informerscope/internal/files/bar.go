package files

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/trace"
)

// barEvery is how often a progress bar is drawn at most.
const barEvery = 100 * time.Millisecond

// Bar is a progress bar in the last line of a terminal. A nil Bar shows nothing.
type Bar struct {
	out   io.Writer
	width func() int
	now   func() time.Time

	mu       sync.Mutex // Set is called from the goroutine that reads
	began    time.Time
	last     time.Time
	drawn    bool
	finished bool
}

// NewBar returns a Bar on stderr. It returns nil if stderr is no terminal, or if
// quiet is set.
func NewBar(stderr io.Writer, quiet bool) *Bar {
	f, ok := stderr.(*os.File)
	if !ok || quiet || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	width := func() int {
		w, _, err := term.GetSize(int(f.Fd()))
		if err != nil || w <= 0 {
			return 80
		}
		return w
	}
	return &Bar{out: stderr, width: width, now: time.Now, began: time.Now()}
}

// Set shows that read bytes of total have been read. total is 0 if it isn't known.
func (b *Bar) Set(read, total int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if b.finished || now.Sub(b.last) < barEvery {
		return
	}
	b.draw(now, b.line(read, total, now.Sub(b.began)))
}

// ShowText shows a text in the place of the bar.
func (b *Bar) ShowText(text string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := b.now(); !b.finished && now.Sub(b.last) >= barEvery {
		b.draw(now, text)
	}
}

func (b *Bar) draw(now time.Time, text string) {
	b.last = now
	b.drawn = true
	fmt.Fprintf(b.out, "\r%s\x1b[K", text)
}

// line returns the text of the bar.
func (b *Bar) line(read, total int64, took time.Duration) string {
	rate := float64(read) / max(took.Seconds(), 0.001)
	if total <= 0 {
		return fmt.Sprintf("%s read, %s/s", plain.Size(read), plain.Size(int64(rate)))
	}
	read = min(read, total)
	text := fmt.Sprintf(" %3d %%  %s of %s, %s/s", read*100/total, plain.Size(read), plain.Size(total), plain.Size(int64(rate)))
	if rate > 0 {
		left := time.Duration(float64(total-read) / rate * float64(time.Second))
		text += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	cells := min(40, b.width()-len(text)-3)
	if cells < 5 {
		return strings.TrimSpace(text)
	}
	full := int(read * int64(cells) / total)
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", cells-full) + "]" + text
}

// Done removes the bar for good, so that other text can be printed in its place.
func (b *Bar) Done() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.drawn {
		io.WriteString(b.out, "\r\x1b[K")
	}
	b.drawn, b.finished = false, true
}

// JoinNames joins the names of inputs for a message.
func JoinNames(names []string) string {
	names = slices.Clone(names)
	for i := range names {
		if names[i] == Stdin {
			names[i] = "the standard input"
		}
	}
	return strings.Join(names, ", ")
}

// TellProblems prints which places could not be read.
func TellProblems(stderr io.Writer, names []string, t *trace.Trace) {
	prefix := ""
	if len(names) == 1 { // with several inputs, each problem names its input
		prefix = JoinNames(names) + ": "
	}
	for _, p := range t.Problems {
		fmt.Fprintf(stderr, "%s%s\n", prefix, cli.Printable(p.Error()))
	}
	if more := t.ProblemCount - int64(len(t.Problems)); more > 0 {
		fmt.Fprintf(stderr, "%sand %d more problems\n", prefix, more)
	}
}

// TellSummary prints what was converted, and which places could not be read.
func TellSummary(stderr io.Writer, names []string, out string, sum *convert.Summary) {
	formats := slices.Compact(slices.Sorted(slices.Values(sum.Formats)))
	into := ""
	if out != Stdin {
		into = " to " + out
	}
	fmt.Fprintf(stderr, "%s%s: %s, from %s\n", plain.Plural(len(names), "file"), into, plain.Plural(sum.Lines, "line"), strings.Join(formats, ", "))
	for _, m := range sum.Remarks {
		fmt.Fprintln(stderr, cli.Printable(remarks.Sentence(m.ID, m.Count, m.Detail)))
	}
	for _, p := range sum.Problems {
		text := p.Error()
		if len(names) == 1 {
			text = JoinNames(names) + ": " + text
		}
		fmt.Fprintln(stderr, cli.Printable(text))
	}
	if more := sum.ProblemCount - int64(len(sum.Problems)); more > 0 {
		fmt.Fprintf(stderr, "and %s more\n", plain.Plural(more, "problem"))
	}
}
