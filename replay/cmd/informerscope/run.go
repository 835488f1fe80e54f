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
)

// runCommand plays a script and prints its transcript.
func runCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("informerscope run", flag.ContinueOnError)
	flags.SetOutput(stderr)
	asJSON := flags.Bool("json", false, "print JSON lines")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Plays a script and prints what happens. Fails where the script does: on an expect that\nis not met, or on a line that makes no sense. FILE may be - for the standard input.\n\nUsage:\n  informerscope run FILE [--json]\n\nFlags:")
		flags.PrintDefaults()
	}
	name, err := oneFile(flags, args)
	if err != nil || name == "" {
		return err
	}
	stdin := os.Stdin
	return untilDone(ctx, func() error { return runScript(name, stdin, *asJSON, stdout) })
}

func runScript(name string, stdin io.Reader, asJSON bool, stdout io.Writer) error {
	s, err := readScript(name, stdin)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	err = script.Run(s, func(e script.Entry) {
		if asJSON {
			encoder.Encode(jsonEntry(e)) // what a closed pipe loses is told by Flush
		} else {
			out.WriteString(e.String() + "\n")
		}
	})
	if flushed := out.Flush(); flushed != nil {
		return flushed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// entry is a script.Entry as a JSON line.
type entry struct {
	Kind  string   `json:"kind"` // statement, step, value or answer
	Line  int      `json:"line"`
	Text  string   `json:"text,omitempty"`
	Step  int64    `json:"step,omitempty"`
	T     *int64   `json:"t,omitempty"` // virtual nanoseconds
	Actor string   `json:"actor,omitempty"`
	Facts []string `json:"facts,omitempty"`
}

func jsonEntry(e script.Entry) entry {
	out := entry{Kind: e.Kind.String(), Line: e.Line, Text: e.Text, Step: e.Step, Actor: e.Actor, Facts: e.Facts}
	if e.Kind == script.Moved {
		out.T = &e.Time
	}
	return out
}

// untilDone runs f, but doesn't wait for it any longer once ctx is done, whatever
// f is at: then the process is about to end.
func untilDone(ctx context.Context, f func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- f() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return errInterrupted
	}
}

// oneFile parses flags that stand before and after one file's name. The name is
// "" if help was asked for.
func oneFile(flags *flag.FlagSet, args []string) (name string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return "", nil
			}
			return "", usageError{err}
		}
		if flags.NArg() == 0 {
			break
		}
		if name != "" {
			err := fmt.Errorf("unexpected argument %q", flags.Arg(0))
			fmt.Fprintln(flags.Output(), flags.Name()+":", err)
			return "", usageError{err}
		}
		name, args = flags.Arg(0), flags.Args()[1:]
	}
	if name == "" {
		flags.Usage()
		return "", usageError{errors.New("a file is missing")}
	}
	return name, nil
}

// readScript reads and parses a script; - is the standard input.
func readScript(name string, stdin io.Reader) (*script.Script, error) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, 2<<20))
	if err != nil {
		return nil, err
	}
	s, err := script.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}
