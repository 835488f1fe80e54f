package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
)

// exploreCommand plays a script that asks what can come about.
func exploreCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("informerscope explore", flag.ContinueOnError)
	flags.SetOutput(stderr)
	states := flags.Int("states", 1_000_000, "give up after so `many` states")
	patience := flags.Duration("patience", 0, "how much `later` than it could a goroutine may move (default 100ms)")
	asJSON := flags.Bool("json", false, "print JSON lines")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Plays a script, and answers its can lines by trying every interleaving from there on:\nyes with the shortest schedule, or no with the number of states. FILE may be - for the standard input.\n\nUsage:\n  informerscope explore FILE [--states N] [--json]\n\nFlags:")
		flags.PrintDefaults()
	}
	name, err := oneFile(flags, args)
	if err != nil || name == "" {
		return err
	}
	limits := world.Limits{States: *states, Patience: int64(*patience)}
	stdin := os.Stdin
	return untilDone(ctx, func() error { return explore(name, stdin, limits, *asJSON, stdout) })
}

func explore(name string, stdin io.Reader, limits world.Limits, asJSON bool, stdout io.Writer) error {
	s, err := readScript(name, stdin)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	question := ""
	asked, err := script.Explore(s, limits, func(e script.Entry) {
		switch {
		case e.Kind == script.Statement:
			question = e.Text
		case e.Kind != script.Answer:
		case asJSON:
			encoder.Encode(answer{Line: e.Line, Question: question, Answer: e.Text, Schedule: e.Schedule, States: e.States})
		default:
			fmt.Fprintf(out, "%s\n  %s\n", question, e.Text)
		}
	})
	if flushed := out.Flush(); flushed != nil {
		return flushed
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case !asked:
		return errors.New(name + ": there is no can line in it, so nothing was asked")
	}
	return nil
}

// answer is one question with its answer, as a JSON line.
type answer struct {
	Line     int      `json:"line"`
	Question string   `json:"question"`
	Answer   string   `json:"answer"`
	Schedule []string `json:"schedule,omitempty"`
	States   int      `json:"states"`
}
