// Package opencmd has "informerscope open" and "informerscope learn", which open the page at
// something.
package opencmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/pages"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/serve"
)

// Port is where commands serve the page unless it is taken. A browser keeps settings
// and progress by the address, so it should be the same each time.
const Port = 8471

// place is what both commands take: where the page comes from, and where it goes.
type place struct {
	dir     string
	port    uint16
	quiet   bool   // no browser is opened
	picture string // the file that gets a picture of the stage, "" if the page stays open
}

func (p *place) flags(c *cobra.Command) {
	f := c.Flags()
	f.Uint16Var(&p.port, "port", Port, "the `port` on 127.0.0.1; if another program has it, a free one is taken")
	f.BoolVar(&p.quiet, "no-browser", false, "print the address, and open no browser")
	f.StringVar(&p.dir, "dir", "", "the `folder` of a page that make dist has built (default: the page inside this program, or dist)")
	c.MarkFlagDirname("dir")
}

// openOptions are open's flags and arguments.
type openOptions struct {
	place
	names         []string
	against       []string
	profile, find string
	kind          string
	step          int64
}

// Command returns "informerscope open".
func Command() *cobra.Command {
	o := &openOptions{}
	var f *pflag.FlagSet
	c, f := cli.New("open FILE…", "open captures, a script or a lesson in the browser", cli.Files(math.MaxInt), func(ctx context.Context, names []string, stdout, stderr io.Writer) error {
		if f.Changed("at") && o.step < 0 {
			return cli.UsageError("--at \"%d\": not a step: the first one is 0", o.step)
		}
		o.names = names
		return o.run(ctx, stdout, stderr)
	})
	f.Int64Var(&o.step, "at", -1, "the `step` that is shown")
	f.StringVar(&o.find, "find", "", "search for this `expression`, and show where it first comes true")
	f.StringVar(&o.profile, "profile", "", "the `version` of client-go that plays it, such as v0.32")
	f.StringVar(&o.picture, "picture", "", "write the stage at that step, or at the worst finding, as SVG into this `file`, and end")
	f.StringArrayVar(&o.against, "against", nil, "a `capture` that is played beside it; several are played as one")
	files.KindFlag(c, &o.kind)
	o.place.flags(c)
	c.RegisterFlagCompletionFunc("profile", cli.CompleteProfiles)
	return c
}

// LearnCommand returns "informerscope learn".
func LearnCommand() *cobra.Command {
	p := &place{}
	c, _ := cli.New("learn [LESSON]", "open the course in the browser", cli.Args(1, ""), func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		lesson := append(args, "whole-loop")[0]
		return p.show(ctx, nil, "#"+url.Values{"lesson": {lesson}}.Encode(), stdout, stderr)
	})
	p.flags(c)
	return c
}

func (o *openOptions) run(ctx context.Context, stdout, stderr io.Writer) error {
	if o.step >= 0 && o.find != "" {
		return cli.UsageError("--at and --find each say which step is shown; give one of them")
	}
	if o.profile != "" {
		if _, err := cli.ProfileFor(o.profile); err != nil {
			return err
		}
	}
	if o.find != "" {
		if _, err := play.Expression("find", o.find); err != nil {
			return err
		}
	}
	fetched, err := o.fetchAll(ctx, stderr)
	defer fetched()
	if err != nil {
		return err
	}
	var stdin *spool
	if slices.Contains(o.names, files.Stdin) {
		var err error
		if stdin, err = newSpool(ctx); err != nil {
			return err
		}
		defer stdin.remove()
		stdin.timed = true
		go stdin.fill(os.Stdin)
	}
	first, remove, err := o.capture(ctx, stdin, stderr)
	if err != nil {
		return err
	}
	defer remove()
	captures, fragment, other, err := o.captures(ctx, first)
	if err != nil {
		return err
	}
	defer other.remove()
	return o.show(ctx, captures, fragment, stdout, stderr)
}

// captures returns the captures that the page opens, beginning with first, and the fragment of the page's
// address that names them. The parts of the second one have to be removed, if there is one.
func (o *openOptions) captures(ctx context.Context, first serve.Opened) (all []serve.Opened, fragment string, second *parted, err error) {
	var to evidence.Link
	if o.picture != "" && o.step < 0 && o.find == "" {
		if to, err = worst(first); err != nil {
			return nil, "", nil, err
		}
	}
	to = to.Serving(first.Path()).Add("profile", o.profile).Add("search", o.find)
	if o.step >= 0 {
		to = to.Add("step", strconv.FormatInt(o.step, 10))
	}
	if o.step >= 0 || o.find != "" || len(o.against) > 0 { // an address that names such a thing means another process without it
		to = to.Add("handlers", "recorded")
	}
	all = append(all, first)
	if len(o.against) > 0 {
		other, parts, err := openSecond(ctx, o.against, first.Name, o.kind)
		if err != nil {
			return nil, "", nil, err
		}
		second = parts
		to = to.Add("beside", "capture").Add("url", other.Path())
		all = append(all, other)
	}
	return all, to.Fragment(), second, nil
}

// openSecond returns the capture that is played beside another one, under a name of its own.
func openSecond(ctx context.Context, names []string, taken, kind string) (serve.Opened, *parted, error) {
	if slices.Contains(names, files.Stdin) {
		return serve.Opened{}, nil, cli.UsageError("--against - : the standard input can't be the second capture; name it first")
	}
	other, parts, err := capture(ctx, names, kind, nil)
	if other.Name == taken {
		other.Name = "against-" + other.Name
	}
	return other, parts, err
}

// show serves the page until ctx is done or the page is closed.
func (p *place) show(ctx context.Context, captures []serve.Opened, fragment string, stdout, stderr io.Writer) error {
	ctx, gone := context.WithCancel(ctx)
	defer gone()
	site, err := Serve(p.dir, int(p.port), captures, fragment, gone, stderr)
	if err != nil {
		return err
	}
	defer site.Close()
	if p.picture != "" {
		go site.Run(ctx)
		return shoot(ctx, site.Address(), p.picture)
	}
	fmt.Fprintf(stdout, "informerscope is at %s (Ctrl-C stops it, and so does closing the page)\n", site.Address())
	if !p.quiet {
		defer site.Show(ctx, stderr)()
	}
	return site.Run(ctx)
}

// Site is a page that a command serves.
type Site struct {
	*serve.Opener
	listener net.Listener
	closed   func()
}

// Serve opens a port for the page in a folder: a free one if another program has it. See serve.NewOpener for what is opened there.
func Serve(dir string, port int, captures []serve.Opened, to string, gone func(), stderr io.Writer) (*Site, error) {
	page, closed, err := pages.Find(dir, stderr)
	if err != nil {
		return nil, err
	}
	l, err := serve.Listen(port)
	if errors.Is(err, serve.ErrPortTaken) {
		l, err = serve.Listen(0)
	}
	if err != nil {
		closed()
		return nil, err
	}
	return &Site{serve.NewOpener(page, captures, to, gone), l, closed}, nil
}

// Address returns the address that a person opens.
func (s *Site) Address() string { return "http://" + s.listener.Addr().String() + "/" + s.KeyPath() }

// Show opens the page in the browser. Remove deletes what that takes.
func (s *Site) Show(ctx context.Context, stderr io.Writer) (remove func()) {
	remove, err := pages.Show(ctx, s.Address())
	if err != nil {
		fmt.Fprintf(stderr, "could not open a browser: %v; open the address above\n", err)
	}
	return remove
}

// Run serves the page until ctx is done.
func (s *Site) Run(ctx context.Context) error { return serve.Run(ctx, s.listener, s) }

// Close closes the port and the folder.
func (s *Site) Close() {
	s.listener.Close()
	s.closed()
}
