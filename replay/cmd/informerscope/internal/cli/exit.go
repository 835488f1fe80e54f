package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// The exit codes. exitCodes says what each means.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitDamaged     = 3
	exitDiffers     = 4
	exitInterrupted = 130 // 128 + SIGINT, as shells count it
)

// exitCodes is the table that "informerscope help exit-codes" and the README of replay
// show.
var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "All went well. Ctrl-C is the usual end of record and serve."},
	{exitFailed, "It failed, and standard error says why. An expect that is not met, a difference that report --compare or --against finds, and a recording that got nothing are failures."},
	{exitUsage, "The command line is wrong: there is no such command or flag, or a file is missing."},
	{exitDamaged, "Some of a capture could not be read, and standard error says where. Everything else was reported, converted or redacted, unless --strict is set."},
	{exitDiffers, "A report found that a handler's recorded calls are not those that the engine makes, and says which ones differ."},
	{exitInterrupted, "Ctrl-C ended it before it was done (143 for SIGTERM)."},
}

// exitError is an error with an exit code of its own. Every other error exits
// with exitFailed.
type exitError struct {
	code int
	error
}

func (e exitError) Unwrap() error { return e.error }

// wrong returns an error about a mistake in the command line.
func wrong(format string, args ...any) error {
	return exitError{exitUsage, fmt.Errorf(format, args...)}
}

// errSaid is an error whose message was printed already.
var errSaid = errors.New("")

// errInterrupted says that a command's context was done before the command was.
var errInterrupted = errors.New("interrupted")

// interrupted returns errInterrupted if err is ctx's, else err.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return errInterrupted
	}
	return err
}

// exitCode returns the exit code for err.
func exitCode(ctx context.Context, err error) int {
	var own exitError
	var by stopSignal
	switch {
	case errors.As(err, &own):
		return own.code
	case !errors.Is(err, errInterrupted):
		return exitFailed
	case errors.As(context.Cause(ctx), &by):
		return 128 + int(by.Signal)
	}
	return exitInterrupted
}

// exitTopic is "informerscope help exit-codes".
func exitTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("What informerscope exits with:\n\n")
	for _, c := range exitCodes {
		b.WriteString(wrap(fmt.Sprintf("%5d  ", c.code), c.meaning, textWidth))
	}
	return &cobra.Command{Use: "exit-codes", Short: "what the exit codes mean", Long: strings.TrimSuffix(b.String(), "\n")}
}

// wrap breaks text into lines of at most width columns. The first line begins
// with first, and the others are indented as far.
func wrap(first, text string, width int) string {
	var b strings.Builder
	indent := len([]rune(first))
	b.WriteString(first)
	at := indent
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	b.WriteByte('\n')
	return b.String()
}
