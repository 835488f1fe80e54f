package test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// bidi is a connection to a browser that speaks WebDriver BiDi, a message of
// JSON for each command and for each event (https://w3c.github.io/webdriver-bidi).
type bidi struct {
	conn *websocket.Conn

	mu      sync.Mutex
	id      int
	waiting map[int]chan reply
	hear    map[string][]func(params json.RawMessage) // by the name of an event
	broken  error
}

type reply struct {
	ID      int             `json:"id"`
	Type    string          `json:"type"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
}

// preferences keep Firefox from asking the viewer or the network for anything,
// and let it download without a question. All that isn't on this machine goes to
// a port at which nobody listens.
const preferences = `
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.download.always_ask_before_handling_new_types", false);
user_pref("browser.safebrowsing.downloads.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("intl.locale.requested", "en-US");
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("network.proxy.no_proxies_on", "127.0.0.1");
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
`

// stopFirefox ends the Firefox that a test has started, and removes its profile. It
// is nil where no test has.
var stopFirefox func()

// startFirefox starts a Firefox without windows, with an empty profile.
func startFirefox() (*bidi, error) {
	program, err := findFirefox()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "informerscope-firefox-")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o600); err != nil {
		return nil, err
	}
	c := exec.Command(program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0")
	c.Env = append(os.Environ(), "MOZ_CRASHREPORTER_DISABLE=1", "MOZ_DATA_REPORTING=0", "HOME="+profile)
	says, err := c.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		c.Process.Kill()
		c.Wait()
		os.RemoveAll(profile)
	}
	stopFirefox = stop
	var heard strings.Builder
	lines := bufio.NewScanner(says)
	for lines.Scan() {
		fmt.Fprintln(&heard, lines.Text())
		if address, ok := strings.CutPrefix(lines.Text(), "WebDriver BiDi listening on "); ok {
			go io.Copy(io.Discard, says)
			return dial(address + "/session")
		}
	}
	return nil, fmt.Errorf("%s opened no port:\n%s", program, heard.String())
}

func findFirefox() (string, error) {
	for _, name := range []string{os.Getenv("FIREFOX"), "firefox-esr", "firefox"} {
		if name == "" {
			continue
		}
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("no Firefox: make firefox installs Debian's, or let FIREFOX name one")
}

func dial(address string) (*bidi, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience) // a browser takes longer to start than a page
	defer cancel()
	conn, _, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(256 << 20)
	b := &bidi{conn: conn, waiting: map[int]chan reply{}, hear: map[string][]func(json.RawMessage){}}
	go b.listen()
	if err := b.call(ctx, "session.new", m{"capabilities": m{}}, nil); err != nil {
		return nil, err
	}
	return b, b.call(ctx, "session.subscribe", m{"events": []string{"log.entryAdded", "browsingContext.downloadEnd"}}, nil)
}

// m is an object of JSON.
type m = map[string]any

func (b *bidi) listen() {
	for {
		var r reply
		if err := wsjson.Read(context.Background(), b.conn, &r); err != nil {
			b.mu.Lock()
			b.broken = err
			for _, w := range b.waiting {
				close(w)
			}
			b.waiting = nil
			b.mu.Unlock()
			return
		}
		b.mu.Lock()
		hear, answer := b.hear[r.Method], b.waiting[r.ID]
		if r.Type == "event" {
			answer = nil
		} else {
			delete(b.waiting, r.ID)
		}
		b.mu.Unlock()
		for _, h := range hear {
			h(r.Params)
		}
		if answer != nil {
			answer <- r
		}
	}
}

// on calls f with each event of a name from now on.
func (b *bidi) on(event string, f func(params json.RawMessage)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hear[event] = append(b.hear[event], f)
}

// call sends a command, and decodes its result unless into is nil.
func (b *bidi) call(ctx context.Context, method string, params m, into any) error {
	b.mu.Lock()
	if b.broken != nil {
		b.mu.Unlock()
		return fmt.Errorf("the connection to Firefox is gone: %w", b.broken)
	}
	b.id++
	id, answer := b.id, make(chan reply, 1)
	b.waiting[id] = answer
	b.mu.Unlock()
	if err := wsjson.Write(ctx, b.conn, m{"id": id, "method": method, "params": params}); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case r, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: Firefox is gone", method)
		case r.Type == "error":
			return fmt.Errorf("%s: %s: %s", method, r.Error, r.Message)
		case into == nil:
			return nil
		}
		return json.Unmarshal(r.Result, into)
	}
}
