package test

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// servesCapture starts informerscope apiserver, and returns the page's address, the API server's, and the token.
func servesCapture(t *testing.T, args ...string) (page, api, token string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, *program, append([]string{"apiserver", "--page-port", "0", "--dir", *dist, "-o", filepath.Join(t.TempDir(), "clients.trace.jsonl.gz")}, args...)...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatalf("%v (make binary builds it)", err)
	}
	kubeconfig := ""
	for in := bufio.NewScanner(out); page == "" && in.Scan(); {
		if _, path, is := strings.Cut(in.Text(), "export KUBECONFIG="); is {
			kubeconfig = path
		}
		if _, address, is := strings.Cut(in.Text(), "the page is at "); is {
			page = address
		}
	}
	var config struct {
		Clusters []struct{ Cluster struct{ Server string } }
		Users    []struct{ User struct{ Token string } }
	}
	b, err := os.ReadFile(kubeconfig)
	if err == nil {
		err = json.Unmarshal(b, &config)
	}
	if err != nil || page == "" {
		t.Fatalf("it serves no page: %v", err)
	}
	return page, config.Clusters[0].Cluster.Server, config.Users[0].User.Token, func() {
		cancel()
		c.Wait()
	}
}

// watcher lists and watches as client-go does: a watch that ends goes on from the last version, and after 410 it lists again.
type watcher struct {
	path       string // of the list
	api, token string
	client     *http.Client
	lists      chan string // the version of each list
	ended      chan string // the version with which a watch ended
}

func watches(t *testing.T, api, token, path string) *watcher {
	w := &watcher{api: api, path: path, token: token, lists: make(chan string, 100), ended: make(chan string, 100),
		client: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}}
	go w.run(t.Context())
	return w
}

func (w *watcher) get(ctx context.Context, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.api+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	r.Header.Set("User-Agent", "controller/v1 <b>(linux)</b>")
	return w.client.Do(r)
}

// watched is what is read of a list or an event.
type watched struct {
	Type     string
	Metadata struct{ ResourceVersion string }
	Object   struct {
		Metadata struct{ ResourceVersion string }
	}
}

func (w *watcher) run(ctx context.Context) {
	for rv := ""; ctx.Err() == nil; {
		if rv == "" {
			resp, err := w.get(ctx, w.path)
			if errors.Is(err, syscall.ECONNREFUSED) {
				return
			}
			if err != nil {
				continue
			}
			var list watched
			err = json.NewDecoder(resp.Body).Decode(&list)
			resp.Body.Close()
			if err != nil || list.Metadata.ResourceVersion == "" {
				continue
			}
			rv = list.Metadata.ResourceVersion
			w.lists <- rv
		}
		resp, err := w.get(ctx, w.path+"?watch=true&allowWatchBookmarks=true&resourceVersion="+rv)
		if errors.Is(err, syscall.ECONNREFUSED) {
			return // the server has ended
		}
		if err != nil {
			continue // it broke before it was open
		}
		if resp.StatusCode == http.StatusGone {
			rv = ""
		}
		for in := json.NewDecoder(resp.Body); resp.StatusCode == http.StatusOK; {
			var e watched
			if in.Decode(&e) != nil {
				w.ended <- rv
				break
			}
			rv = e.Object.Metadata.ResourceVersion
			if e.Type == "ERROR" {
				rv = ""
			}
		}
		resp.Body.Close()
	}
}

// The page shows a server and its clients. A person pauses it there, cuts a watch, and goes to another time, and sees what the client
// does. It says what a client was refused, and opens what the client did beside the capture.
func TestAPIServerPage(t *testing.T) {
	t.Parallel()
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, api, token, stop := servesCapture(t, "--speed", "0.001", "../../web/traces/shop.trace.jsonl.gz")
			b := tabOf(t)
			b.goTo(page)
			b.wait(`document.documentElement.dataset.state === 'open' && document.querySelector('.when-alone').checkVisibility()`)
			if left := eval[string](b, `location.search`); left != "" {
				t.Errorf("the key stays in the address: %q", left)
			}
			b.click("#pause")
			b.wait(`document.querySelector('.clock .when-paused').checkVisibility() && document.getElementById('said').innerText === 'Paused.'`)
			at := eval[string](b, `document.getElementById('at').textContent`)

			w := watches(t, api, token, "/api/v1/namespaces/shop/pods")
			listed := b.next(w.lists)
			row := `.lists li`
			b.wait(`document.querySelector('` + row + ` .is-watching').checkVisibility()`)
			says := func() string {
				return strings.Join(strings.Fields(eval[string](b, `document.getElementById('clients').innerText`)), " ")
			}
			if got := says(); !strings.Contains(got, "controller/v1 <b>(linux)</b>") || !strings.Contains(got, "pods in shop watching 1") || !strings.Contains(got, "last version "+listed) {
				t.Errorf("of the client it says %q", got)
			}
			resp, err := w.get(t.Context(), "/apis/example.com/v1/widgets")
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			b.wait(`document.querySelector('.refusals q')?.textContent.startsWith('widgets.example.com was not recorded; the recording has ')`)
			if got := says(); !strings.Contains(got, "404 refused:") {
				t.Errorf("of what was not recorded it says %q", got)
			}
			b.shot("serving")
			if name == "Chromium" { // one browser lays out as the other does
				b.servesAnyViewer()
			}

			b.click(row + ` button`)
			if from := b.next(w.ended); from != listed {
				t.Errorf("the watch that was cut was at %s, want %s", from, listed)
			}
			b.wait(`document.getElementById('said').innerText === 'Watches were cut.'`)
			b.wait(`Number(document.querySelector('[data-is=requests]').textContent) >= 4 && document.querySelector('` + row + ` .is-watching').checkVisibility()`)
			if now := eval[string](b, `document.getElementById('at').textContent`); now != at {
				t.Errorf("time passes in the pause: from %s to %s", at, now)
			}

			b.run(`document.getElementById('seek').focus()`)
			b.key("End")
			b.next(w.ended)
			b.next(w.lists)
			b.wait(`document.querySelector('` + row + ` [data-is=version]').textContent === document.querySelector('` + row + ` [data-is=revision]').textContent && document.documentElement.dataset.over === 'true'`)
			end := eval[string](b, `document.querySelector('[data-is=version]').textContent`)
			b.key("Home")
			if again := b.next(w.lists); again == end || eval[string](b, `document.getElementById('at').textContent`) != "0:00.0" {
				t.Errorf("at the start the client lists %s, and at the end it knew %s", again, end)
			}
			b.wait(`document.querySelector('` + row + ` .is-watching').checkVisibility()`)
			b.run(`document.activeElement.blur()`)
			b.key(" ")
			b.wait(`document.documentElement.dataset.paused === 'false'`)
			if t.Failed() {
				t.Logf("%s", says())
			}
			server := eval[string](b, `location.href`)
			b.goTo(eval[string](b, `document.getElementById('beside').href`))
			b.loaded()
			b.opensTab("compare")
			b.wait(`document.querySelector('.pane-1')?.textContent.includes('what-clients-did') && document.querySelector('.pane-2')?.textContent.includes('shop.trace')`)
			b.wait(`document.querySelector('.panel.compare').innerText.includes('The second machine plays pods. In step by resourceVersion') && document.querySelector('.panel.compare').innerText.includes('Only objects in shop are compared.')`)
			if got := eval[string](b, `document.querySelector('.top').textContent`); !strings.Contains(got, "pods in shop") {
				t.Errorf("of what the clients did it shows %q", got)
			}
			b.shot("beside")
			b.goTo(server)
			b.wait(`document.documentElement.dataset.state === 'open'`)
			b.allow("opened/apiserver")
			b.allow("NetworkError")
			stop()
			b.wait(`document.querySelector('.when-ended').checkVisibility() && !document.getElementById('pause').checkVisibility()`)
		})
	}
}

// next returns what comes over a channel.
func (b *tab) next(from <-chan string) (it string) {
	b.t.Helper()
	b.within(func(ctx context.Context) error {
		select {
		case it = <-from:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	return it
}

// servesAnyViewer holds that the page fits each size, and that axe finds nothing, in both themes and languages.
func (b *tab) servesAnyViewer() {
	b.t.Helper()
	for _, lang := range []string{"zh", "en"} {
		b.click(`#langs [value=` + lang + `]`)
		b.wait(`document.documentElement.lang === '` + lang + `'`)
		for _, theme := range []string{"dark", "light"} {
			b.media("prefers-color-scheme", theme)
			if found := b.violations(); len(found) != 0 {
				b.t.Errorf("in %s, %s, axe finds:\n  %s", lang, theme, strings.Join(found, "\n  "))
			}
			b.size(390, 844)
			b.shot("phone " + lang + " " + theme)
		}
		for _, s := range sizes {
			b.size(s.w, s.h)
			// There is no machine.
			if found := slices.DeleteFunc(b.faults(), func(fault string) bool { return strings.HasPrefix(fault, "there is no ") }); len(found) != 0 {
				b.t.Errorf("at %d×%d, in %s:\n  %s", s.w, s.h, lang, strings.Join(found, "\n  "))
			}
		}
		b.size(1440, 900)
	}
}
