// Command informerscope is the command-line side of the page: it serves the page
// on this machine, and runs the same machine without it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/informerscope/informerscope/replay/plain"
)

// command is one of informerscope's subcommands.
type command struct {
	name  string
	short string
	run   func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

var commands = []command{
	{"serve", "serve the page on this machine", serveCommand},
	{"record", "list and watch resources of a cluster, and write a trace", recordCommand},
	{"redact", "write a trace once more, without its secrets", redactCommand},
	{"convert", "write captures of any format as a trace", convertCommand},
	{"report", "play captures to handlers, and say what there is to say of them", reportCommand},
	{"explore", "answer what a script asks by trying every interleaving", exploreCommand},
	{"run", "play a script and print what happens", runCommand},
}

// usageError is a mistake in the command line, told on stderr already.
type usageError struct{ error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit status: 0, 1 for a failure, 2 for a mistake in args, 3 for a
// damaged capture.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return 2
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		usage(stdout)
		return 0
	case "version", "-version", "--version":
		fmt.Fprintln(stdout, "informerscope", version())
		return 0
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		switch err := c.run(ctx, args[1:], stdout, stderr).(type) {
		case nil:
			return 0
		case usageError:
			return 2
		case damage:
			fmt.Fprintf(stderr, "informerscope %s: %v\n", c.name, err)
			return exitDamaged
		default:
			fmt.Fprintf(stderr, "informerscope %s: %s\n", c.name, plain.Lines(err.Error()))
			return 1
		}
	}
	fmt.Fprintf(stderr, "informerscope: there is no command %q\n\n", args[0])
	usage(stderr)
	return 2
}

func usage(w io.Writer) {
	var b strings.Builder
	b.WriteString("informerscope: a microscope for Kubernetes informers\n\nUsage:\n  informerscope COMMAND [flags]\n\nCommands:\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.short)
	}
	b.WriteString("  version    print the version\n\nFor a command's flags: informerscope COMMAND --help\n")
	io.WriteString(w, b.String())
}

// version is the module's version where one was released, else the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value
		}
	}
	return "devel"
}
