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
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/serve"
)

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
