// Package opencmd has "informerscope open" and "informerscope learn", which open the page at
// something.
package opencmd

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/pages"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/format/file"
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
	pages.Flag(c, &p.dir)
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

// mostJudged is how many bytes of a capture are searched for findings, unpacked.
const mostJudged = 256 << 20

// worst returns the link to the step at which the worst finding of a capture begins.
func worst(c serve.Opened) (to evidence.Link, err error) {
	in, err := c.Open()
	if err != nil {
		return to, err
	}
	defer in.Close()
	plain, err := file.Plain(in)
	if err != nil {
		return to, err
	}
	defer plain.Close()
	text, err := io.ReadAll(io.LimitReader(plain, mostJudged))
	if err != nil {
		return to, err
	}
	const which = "say with --at or --find of which step the picture is: "
	s, err := evidence.Summarize(text, c.Name, 0)
	if err != nil {
		return to, fmt.Errorf(which+"%w", err)
	}
	for _, r := range s.Failed() {
		if r.Link != to {
			return r.Link, nil
		}
	}
	return to, errors.New(which + "nothing wrong was found")
}

// patience is how long a browser may take to open a capture and to find a step in it.
const patience = 2 * time.Minute

// draw has the page draw what its dialog Save draws, once it shows what the link leads to.
const draw = `(async () => {
	const page = () => document.documentElement?.dataset ?? {};
	const there = () => page().arrived === 'true' || page().broken || page().ended;
	if (!there()) await new Promise((done) => new MutationObserver(() => there() && done()).observe(document, {attributes: true, childList: true, subtree: true}));
	if (!page().step) throw new Error('the page shows no step: ' + document.body.innerText.trim().slice(0, 300));
	for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
	await Promise.all(document.getAnimations().map((a) => a.finished));
	const {picture} = await import(new URL('picture.js', document.querySelector('script[src$="/page/boot.js"]').src).href);
	return (await picture(document.querySelector('main'), {theme: 'light', title: document.querySelector('.said')?.textContent.trim(), says: true})).text;
})()`

// shoot writes a picture of the stage into a file, as the page at an address draws it in a browser that nobody sees.
func shoot(ctx context.Context, address, name string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("the page has shown no step within %v", patience))
	defer cancel()
	b, err := startBrowser(ctx)
	if err != nil {
		return err
	}
	defer b.end()
	picture, err := b.eval(address, draw)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	return os.WriteFile(name, []byte(picture), 0o644)
}

// browsers are what a Chrome is called, those without windows first.
var browsers = []string{"chrome-headless-shell", "chromium-headless-shell", "google-chrome", "google-chrome-stable", "chromium", "chromium-browser",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"}

// browser is a Chrome that takes commands of its DevTools protocol through pipes: each ends with a zero byte.
type browser struct {
	c       *exec.Cmd
	home    string // with its profile, which is removed
	in      *os.File
	out     *bufio.Reader
	pipes   []*os.File
	session string // of the page
	sent    int
}

// startBrowser starts the first Chrome that there is. The address of the page goes through the pipe, so no other user sees its key.
func startBrowser(ctx context.Context) (b *browser, err error) {
	if runtime.GOOS == "windows" {
		return nil, errors.New("there are no pictures on Windows, where a Chrome can't be asked by pipes; the page has Save")
	}
	program := ""
	for _, name := range append([]string{os.Getenv("CHROMIUM")}, browsers...) {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		return nil, errors.New("a picture takes a Chrome or a Chromium, and there is none; the variable CHROMIUM may name one")
	}
	b = &browser{}
	if b.home, err = os.MkdirTemp("", "informerscope-"); err != nil {
		return nil, err
	}
	b.c = exec.CommandContext(ctx, program, "--headless", "--remote-debugging-pipe", "--user-data-dir="+b.home, "--window-size=1440,900", "--no-first-run",
		"--disable-gpu", "--disable-component-update", "--disable-background-networking", "--force-prefers-reduced-motion", "--lang=en-US")
	if os.Geteuid() == 0 { // Chrome's sandbox refuses root, who is alone in a container
		b.c.Args = append(b.c.Args, "--no-sandbox")
	}
	ours, theirs, err := b.pipe()
	if err != nil {
		return nil, err
	}
	answers, said, err := b.pipe()
	if err != nil {
		return nil, err
	}
	b.in, b.out = theirs, bufio.NewReader(answers)
	b.c.ExtraFiles = []*os.File{ours, said}
	if err := b.c.Start(); err != nil {
		b.end()
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	ours.Close()
	said.Close() // so that the end of the process is the end of its answers
	return b, nil
}

// pipe makes a pipe that is closed when the browser ends.
func (b *browser) pipe() (r, w *os.File, err error) {
	if r, w, err = os.Pipe(); err != nil {
		b.end()
	}
	b.pipes = append(b.pipes, r, w)
	return r, w, err
}

// end stops the browser, and removes what it has written.
func (b *browser) end() {
	if b.c.Process != nil {
		b.c.Process.Kill()
		b.c.Wait()
	}
	for _, f := range b.pipes {
		f.Close()
	}
	os.RemoveAll(b.home)
}

// refusal is what a browser says of a command that it doesn't carry out, or of a script whose page is left meanwhile.
type refusal string

func (r refusal) Error() string { return "the browser: " + string(r) }

// call sends a command, and waits for its answer. What the browser tells meanwhile is passed over.
func (b *browser) call(method string, params, result any) error {
	b.sent++
	text, err := json.Marshal(struct {
		ID      int    `json:"id"`
		Session string `json:"sessionId,omitempty"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{b.sent, b.session, method, params})
	if err != nil {
		return err
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		return err
	}
	for {
		text, err := b.out.ReadBytes(0)
		if err != nil {
			return fmt.Errorf("the browser has ended: %w", err)
		}
		var answer struct {
			ID     int
			Error  *struct{ Message string }
			Result json.RawMessage
		}
		if err := json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &answer); err != nil {
			return err
		}
		switch {
		case answer.ID != b.sent:
		case answer.Error != nil:
			return refusal(answer.Error.Message)
		default:
			return json.Unmarshal(answer.Result, result)
		}
	}
}

// eval opens an address, and returns the text that a script resolves to. The script runs again where the page leads to another one.
func (b *browser) eval(address, script string) (text string, err error) {
	type m = map[string]any
	var target struct{ TargetID, SessionID string }
	if err := b.call("Target.createTarget", m{"url": "about:blank"}, &target); err != nil {
		return "", err
	}
	if err := b.call("Target.attachToTarget", m{"targetId": target.TargetID, "flatten": true}, &target); err != nil {
		return "", err
	}
	b.session = target.SessionID
	if err := b.call("Page.navigate", m{"url": address}, &target); err != nil {
		return "", err
	}
	for {
		var said struct {
			Result           struct{ Value json.RawMessage }
			ExceptionDetails *struct{ Exception struct{ Description string } }
		}
		err := b.call("Runtime.evaluate", m{"expression": script, "awaitPromise": true, "returnByValue": true}, &said)
		switch {
		case errors.As(err, new(refusal)):
		case err != nil:
			return "", err
		case said.ExceptionDetails != nil:
			return "", errors.New(said.ExceptionDetails.Exception.Description)
		default:
			err := json.Unmarshal(said.Result.Value, &text)
			return text, err
		}
	}
}
