package apiservercmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/scriptcmd"
	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/trace"
)

// simulated is what the engine makes of a script: a trace of its cluster, and what is done to connections.
type simulated struct {
	*bytes.Reader // the trace
	faults        []whatif.Line
	notPlayed     []string
}

// Await doesn't wait: all is there.
func (*simulated) Await(context.Context, int64) error { return nil }

// Close does nothing.
func (*simulated) Close() error { return nil }

// mostNotPlayed is how many lines are named that aren't played.
const mostNotPlayed = 10

// play plays a script.
func play(ctx context.Context, name, text string, isLesson bool) (s *simulated, err error) {
	if isLesson {
		return nil, fmt.Errorf("%s: this is a lesson; want a capture or a script", name)
	}
	err = scriptcmd.UntilDone(ctx, func() error { s, err = simulate(ctx, name, text); return err })
	if at := (script.Error{}); errors.As(err, &at) {
		return nil, fmt.Errorf("%s:%d:%d: %w", name, at.Line, at.Col, at.Err)
	}
	return s, err
}

func simulate(ctx context.Context, name, text string) (*simulated, error) {
	if script.IsTranscript(text) {
		text, _ = script.Untranscribed(text)
	}
	if _, err := script.Parse(text); err != nil {
		return nil, err
	}
	var lines []lesson.Line
	for line := range strings.Lines(text) {
		lines = append(lines, lesson.Line{Text: strings.TrimRight(line, "\r\n"), N: len(lines) + 1})
	}
	r := script.NewRunner(func(script.Entry) {})
	for _, line := range lesson.WithoutExpectations(lines) {
		if err := r.Line(line.Text, line.N); err != nil {
			return nil, err
		}
	}
	if r.History() == nil { // it is set up, and nothing has moved
		if err := r.Line("run", len(lines)); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	s := &simulated{}
	var err error
	s.faults, s.notPlayed, err = whatif.WriteCluster(ctx, &out, r.History(), trace.Header{Start: time.Now().UTC().Format(time.RFC3339), Recorder: "informerscope apiserver", Note: "the server is simulated, as a script says: " + name})
	if len(s.notPlayed) > mostNotPlayed {
		s.notPlayed = append(s.notPlayed[:mostNotPlayed], "…")
	}
	s.Reader = bytes.NewReader(out.Bytes())
	return s, err
}

// printNotPlayed says what of the script isn't served.
func (s *simulated) printNotPlayed(stderr io.Writer) {
	fmt.Fprintln(stderr, "the API server is simulated, as the script says; the script's own informers aren't there")
	if len(s.notPlayed) > 0 {
		fmt.Fprintf(stderr, "what is done to them isn't played: %s\n", cli.Printable(strings.Join(s.notPlayed, "; ")))
	}
}
