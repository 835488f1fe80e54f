// Command informerscope records, converts, redacts and reports on traces, plays
// scripts, and serves the page on this machine. It runs the engine that the page
// runs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/plain"
)

// memory is what the program tries to get by with, in bytes: the garbage of reading long
// lines is collected sooner than Go would. Captures of any size need less, unless single
// lines of them are very long.
const memory = 180 << 20

func main() { os.Exit(program()) }

// program does what main does, and returns the process's exit code.
func program() int {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
	return runAs(untilSignal(), nameOf(os.Args[0]), os.Args[1:], os.Stdout, os.Stderr)
}

// untilSignal returns a context that the first SIGINT, SIGTERM or SIGHUP ends. Another one
// ends the process, but not in the 3 s in which the process stops what it has started: timeout(1)
// sends two at once. nohup has SIGHUP ignored, and so it stays.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	signal.Notify(signals, all...)
	go func() {
		s := <-signals
		time.AfterFunc(3*time.Second, func() { signal.Stop(signals) })
		number, ok := s.(syscall.Signal)
		if !ok {
			number = syscall.SIGINT
		}
		cancel(cli.StopSignal{Signal: number})
	}()
	return ctx
}

// runAs runs the command that args name until ctx is done, and returns the
// process's exit code. name is what a user types for the program.
func runAs(ctx context.Context, name string, args []string, stdout, stderr io.Writer) int {
	root := newRoot(name, stdout, stderr)
	c := root
	args, err := withNewName(root, withOpen(root, args), stderr)
	if err == nil {
		root.SetArgs(args)
		c, err = root.ExecuteContextC(ctx)
	}
	if err == nil {
		return cli.ExitOK
	}
	if _, _, unknown := root.Find(args); c == root && unknown != nil {
		err = noCommand(root, args)
	}
	if !errors.Is(err, cli.ErrSaid) {
		fmt.Fprintf(stderr, "%s: %s\n", c.CommandPath(), plain.Lines(renamed(root, err.Error())))
	}
	return cli.ExitCode(ctx, err)
}
