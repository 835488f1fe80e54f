package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"

	"github.com/informerscope/informerscope/replay/serve"
)

// serveCommand serves the built page until ctx is done.
func serveCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("informerscope serve", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("dir", "dist", "the `folder` that holds the built page")
	port := flags.Int("port", 8080, "the `port` on 127.0.0.1; 0 picks a free one")
	open := flags.Bool("open", false, "open the page in the browser")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Serves the built page on 127.0.0.1, to this machine's browser only.\n\nUsage:\n  informerscope serve [--dir dist] [--port 8080] [--open]\n\nFlags:")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return usageError{err}
	}
	if flags.NArg() > 0 {
		err := fmt.Errorf("unexpected argument %q", flags.Arg(0))
		fmt.Fprintln(stderr, "informerscope serve:", err)
		return usageError{err}
	}

	root, err := os.OpenRoot(*dir)
	if err != nil {
		return fmt.Errorf("%w (build the page with: make dist)", err)
	}
	defer root.Close()
	if _, err := root.Stat("index.html"); err != nil {
		return fmt.Errorf("no page in %s (build it with: make dist)", *dir)
	}
	l, err := serve.Listen(*port)
	if err != nil {
		if errors.Is(err, serve.ErrPortTaken) {
			return fmt.Errorf("port %d is taken by another program; choose another: make run PORT=%d, or informerscope serve --port %d", *port, *port+1, *port+1)
		}
		return err
	}
	address := "http://" + l.Addr().String() + "/"
	fmt.Fprintf(stdout, "informerscope is at %s (Ctrl-C stops it)\n", address)
	if *open {
		if err := openBrowser(ctx, address); err != nil {
			fmt.Fprintf(stderr, "could not open a browser: %v\n", err)
		}
	}
	return serve.Run(ctx, l, serve.Static(root))
}

func openBrowser(ctx context.Context, address string) error {
	program := "xdg-open"
	if runtime.GOOS == "darwin" {
		program = "open"
	}
	c := exec.CommandContext(ctx, program, address)
	if err := c.Start(); err != nil {
		return err
	}
	go c.Wait() // only so that no zombie stays
	return nil
}
