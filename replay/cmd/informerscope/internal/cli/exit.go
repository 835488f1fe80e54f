// Package cli has what the commands share: exit codes, arguments, formats of output, and how
// numbers and times are printed.
package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/informerscope/informerscope/replay/plain"
	"github.com/spf13/cobra"
)

// The exit codes. ExitCodes says what each means.
const (
	ExitOK          = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitDamaged     = 3
	ExitDiffers     = 4
	ExitInterrupted = 130 // 128 + SIGINT, as shells count it
)

// ExitCodes is the table that "informerscope help exit-codes" and the README of replay
// show.
var ExitCodes = []struct {
	Code    int
	Meaning string
}{
	{ExitOK, "All went well. Ctrl-C, SIGTERM and SIGHUP are the usual end of record, serve, open and learn."},
	{ExitFailed, "It failed, and standard error says why. An expect that is not met, a difference that compare finds, a recording that got nothing, an informer that would hang by what doctor finds, and a client that does something wrong by what try finds, or a fault that try could not play, are failures."},
	{ExitUsage, "The command line is wrong: a command or a flag is unknown, or a file is missing."},
	{ExitDamaged, "Some of a capture could not be read, and standard error says where. Everything else was reported, converted or redacted, unless --strict is set."},
	{ExitDiffers, "A report found that a handler's recorded calls are not those that the engine makes, and says which ones differ. It may be that some of the capture could not be read as well; standard error says so."},
	{ExitInterrupted, "Ctrl-C ended it before it was done (143 for SIGTERM, 129 for SIGHUP)."},
}

// exitError is an error with an exit code of its own. Every other error exits
// with ExitFailed.
type exitError struct {
	code int
	error
}

func (e exitError) Unwrap() error { return e.error }

// Exit returns err as an error that the process exits with code for.
func Exit(code int, err error) error { return exitError{code, err} }

// UsageError returns an error about a mistake in the command line.
func UsageError(format string, args ...any) error {
	return Exit(ExitUsage, fmt.Errorf(format, args...))
}

// ErrSaid is an error whose message was printed already.
var ErrSaid = errors.New("")

// ErrInterrupted says that a command's context was done before the command was.
var ErrInterrupted = errors.New("interrupted")

// Interrupted returns ErrInterrupted if err is ctx's, else err.
func Interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return ErrInterrupted
	}
	return err
}

// ExitCode returns the exit code for err.
func ExitCode(ctx context.Context, err error) int {
	var exit exitError
	var by StopSignal
	switch {
	case errors.As(err, &exit):
		return exit.code
	case !errors.Is(err, ErrInterrupted):
		return ExitFailed
	case errors.As(context.Cause(ctx), &by):
		return 128 + int(by.Signal)
	}
	return ExitInterrupted
}

// ExitTopic returns "informerscope help exit-codes".
func ExitTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("What informerscope exits with:\n\n")
	for _, c := range ExitCodes {
		b.WriteString(Wrap(fmt.Sprintf("%5d  ", c.Code), c.Meaning, TextWidth))
	}
	return &cobra.Command{Use: "exit-codes", Short: "what the exit codes mean", Long: strings.TrimSuffix(b.String(), "\n")}
}

// StopSignal is the cause of a context that a signal has ended.
type StopSignal struct{ syscall.Signal }

func (s StopSignal) Error() string { return s.String() }

// damage is what is wrong with a capture that was read as far as it could be.
type damage struct {
	places  int64 // that could not be read
	gaps    int64 // places before which events are missing, though nothing is damaged
	lost    int64 // watch events, about
	refused bool  // --strict was given, so nothing came of it
}

// Damage returns an error about the damage in a capture, or nil if there is none. Of the
// places, gaps are not damaged.
func Damage(places, gaps, lost int64, strict bool) error {
	if places == 0 {
		return nil
	}
	return Exit(ExitDamaged, damage{places - gaps, gaps, lost, strict})
}

func (d damage) Error() string {
	s := d.describe()
	if d.lost > 0 {
		s += ", and about " + plain.Plural64(d.lost, "watch event is", "watch events are") + " lost"
	}
	if d.refused {
		s += "; --strict refuses that"
	}
	return s
}

// DamageCount says at how many places a capture is damaged. Of the places, gaps are not damaged.
func DamageCount(places, gaps int64) string {
	return damage{places: places - gaps, gaps: gaps}.describe()
}

// describe says at how many places what is wrong.
func (d damage) describe() string {
	gaps := "watch events are missing at " + plain.Plural(d.gaps, "place")
	if d.places == 0 {
		return gaps + ", though nothing is damaged"
	}
	s := plain.Plural(d.places, "place") + " could not be read"
	if d.gaps > 0 {
		s += ", and " + gaps
	}
	return s
}
