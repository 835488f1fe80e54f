package test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/informerscope/informerscope/replay/serve"
)

// cluster does as much of an API server's work as the page needs. It serves the
// page itself under /static/, as kubectl proxy --www=dist does. It remembers
// all events since the last compaction.
type cluster struct {
	t       testing.TB
	address string
	http    *http.Server

	mu        sync.Mutex
	conns     map[net.Conn]bool
	away      bool       // each connection is broken at once
	changed   *sync.Cond // there are new events, or open watches have ended
	rv        int
	log       []event // in the order of rv
	compacted int     // events up to there are gone
	ended     int     // how often all open watches were ended
	asked     []string
}

type event struct {
	resource, kind, name, object string
	rv                           int
}

// site is the page's address.
func (c *cluster) site() string { return "http://" + c.address + "/static/" }

func newCluster(t testing.TB) *cluster {
	c := &cluster{t: t, rv: 100, conns: map[net.Conn]bool{}}
	c.changed = sync.NewCond(&c.mu)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.address = l.Addr().String()
	c.http = &http.Server{Handler: c.handler(), ConnState: c.connected}
	go c.http.Serve(l)
	t.Cleanup(func() {
		c.leave()
		c.http.Close()
	})
	return c
}

// connected keeps the connections, and breaks those that are made while the server is away.
func (c *cluster) connected(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case state == http.StateClosed:
		delete(c.conns, conn)
	case c.away:
		conn.Close()
	default:
		c.conns[conn] = true
	}
}

// leave breaks all connections, and those that are made until arrive. It keeps the port, which could be another server's by then.
func (c *cluster) leave() {
	c.mu.Lock()
	c.away = true
	for conn := range c.conns {
		conn.Close()
	}
	c.mu.Unlock()
	c.end()
}

// arrive lets the server answer again.
func (c *cluster) arrive() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.away = false
}

// end ends all watches that are open.
func (c *cluster) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended++
	c.changed.Broadcast()
}

// compact forgets all events until now, and tells open watches that their
// version has expired.
func (c *cluster) compact() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rv += 100
	c.compacted = c.rv
	c.changed.Broadcast()
}

// set changes an object. Kind is ADDED, MODIFIED or DELETED; more is the JSON
// that follows the metadata.
func (c *cluster) set(resource, kind, name, more string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rv++
	k := map[string]string{"pods": "Pod", "secrets": "Secret"}[resource]
	c.log = append(c.log, event{resource, kind, name, fmt.Sprintf(
		`{"kind":%q,"apiVersion":"v1","metadata":{"name":%q,"namespace":"shop","uid":"uid-%s-%s","resourceVersion":"%d"}%s}`, k, name, resource, name, c.rv, more), c.rv})
	c.changed.Broadcast()
}

// requests returns the requests that contain what.
func (c *cluster) requests(what string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for _, a := range c.asked {
		if strings.Contains(a, what) {
			out = append(out, a)
		}
	}
	return out
}

func (c *cluster) handler() http.Handler {
	root, err := os.OpenRoot(*dist)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { root.Close() })
	mux := http.NewServeMux()
	mux.Handle("GET /static/", http.StripPrefix("/static", serve.Static(root)))
	say := func(path, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { answer(w, body) })
	}
	resource := func(name, kind string) string {
		return fmt.Sprintf(`{"resource":%q,"responseKind":{"kind":%q},"scope":"Namespaced","singularResource":"","verbs":["get","list","watch"]}`, name, kind)
	}
	say("/version", `{"major":"1","minor":"36","gitVersion":"v1.36.3"}`)
	say("/api", `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{"name":""},"versions":[{"version":"v1","resources":[`+resource("pods", "Pod")+","+resource("secrets", "Secret")+`]}]}]}`)
	say("/apis", `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[]}`)
	objects := func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.asked = append(c.asked, r.URL.String())
		c.mu.Unlock()
		if watch := r.URL.Query().Get("watch"); watch == "true" || watch == "1" {
			c.watch(w, r)
			return
		}
		c.list(w, r.PathValue("resource"))
	}
	mux.HandleFunc("GET /api/v1/{resource}", objects)
	mux.HandleFunc("GET /api/v1/namespaces/shop/{resource}", objects) // all of them are in it
	return mux
}

func answer(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.Write([]byte(body))
}

func (c *cluster) list(w http.ResponseWriter, resource string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	objects := map[string]string{}
	var names []string
	for _, e := range c.log {
		if e.resource == resource {
			names = append(names, e.name)
			objects[e.name] = e.object
			if e.kind == "DELETED" {
				delete(objects, e.name)
			}
		}
	}
	slices.Sort(names)
	var items []string
	for _, name := range slices.Compact(names) {
		if o := objects[name]; o != "" {
			items = append(items, o)
		}
	}
	kind := map[string]string{"pods": "PodList", "secrets": "SecretList"}[resource]
	answer(w, fmt.Sprintf(`{"kind":%q,"apiVersion":"v1","metadata":{"resourceVersion":"%d"},"items":[%s]}`, kind, c.rv, strings.Join(items, ",")))
}

func (c *cluster) watch(w http.ResponseWriter, r *http.Request) {
	from, err := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	if err != nil {
		http.Error(w, "no resourceVersion", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	http.NewResponseController(w).Flush()
	c.mu.Lock()
	defer c.mu.Unlock()
	for began := c.ended; began == c.ended; c.changed.Wait() {
		if from < c.compacted {
			fmt.Fprintln(w, `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old resource version","reason":"Expired","code":410}}`)
			return
		}
		for _, e := range c.log {
			if e.rv > from && e.resource == r.PathValue("resource") {
				line, err := json.Marshal(map[string]any{"type": e.kind, "object": json.RawMessage(e.object)})
				if err != nil {
					c.t.Error(err)
					return
				}
				w.Write(append(line, '\n'))
				from = e.rv
			}
		}
		http.NewResponseController(w).Flush()
	}
}

// Where the page's server has no API server beside it, the page says how to get
// one.
func TestNoClusterIsFound(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.allow("404") // where a cluster could have been
	b.key("l")
	b.wait(`document.documentElement.dataset.dialog === 'live' && document.querySelector('dialog[open] [data-act=discover]')`)
	text := eval[string](b, `document.querySelector('dialog[open]').innerText`)
	for _, way := range []string{"kubectl proxy --www=dist --www-prefix=/ --api-prefix=/k8s/", "http://127.0.0.1:8001/static/", "informerscope serve"} {
		if !strings.Contains(text, way) {
			t.Errorf("the dialog doesn't tell of %s:\n%s", way, text)
		}
	}
	b.shot("none")
	b.click(`dialog[open] [data-act=discover]`)
	b.wait(`document.querySelector('dialog[open] .ways')`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]') && !document.documentElement.dataset.dialog`)
	b.key("ArrowRight") // what was open before still is
	b.stepMoves(0)
}

// openChooser opens the page that a cluster serves, and the dialog in which the
// viewer chooses what to watch.
func (c *cluster) openChooser(t *testing.T) *tab {
	t.Helper()
	b := newTab(t)
	b.allow("404")                 // no informerscope serve is in front of it
	b.allow("ERR_")                // what Chromium says of each connection that ends early
	b.allow("the server responds") // what Chromium says of answers that are errors
	b.goTo(c.site())
	b.ready()
	b.loaded()
	b.inBar("open", "live")
	b.wait(`document.querySelector('dialog[open] [data-act=want][data-arg=pods]')`)
	return b
}

// follows starts to watch the chosen resources.
func (b *tab) follows() {
	b.t.Helper()
	b.click(`dialog[open] [data-act=follow]`)
	b.wait(`document.documentElement.dataset.live === 'following' && !document.querySelector('dialog[open]')`)
}

// waitForKey waits until the indexer has a key, or until it doesn't.
func (b *tab) waitForKey(key string, there bool) {
	b.t.Helper()
	b.wait(`!!document.querySelector('[data-place="store/` + key + `"]') === ` + strconv.FormatBool(there))
}

func TestWatchesACluster(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set("pods", "ADDED", "first", "")
	b := c.openChooser(t)
	if text := b.text(`dialog[open] .facts`); !strings.Contains(text, "v1.36.3") || !strings.Contains(text, "kubectl proxy") {
		t.Errorf("the dialog says of the cluster: %s", text)
	}
	if on := eval[[]string](b, `[...document.querySelectorAll('dialog[open] [data-act=want]:checked')].map(e => e.dataset.arg)`); len(on) != 1 || on[0] != "pods" {
		t.Errorf("the resources chosen at first are %q", on)
	}
	b.shot("found")
	b.follows()
	b.waitForKey("shop/first", true)
	c.set("pods", "ADDED", "second", "")
	b.waitForKey("shop/second", true)
	b.wait(`document.querySelector('.strip .is-watching') && document.querySelector('.strip .live-chip.on')`)
	b.wait(`document.querySelector('.streams').textContent.includes('1 event')`)
	b.shot("following")

	b.caughtUp()

	// A step back pauses. The page receives later events and doesn't show them.
	at := b.step()
	b.key("ArrowLeft")
	before := b.stepMoves(at)
	if before >= at {
		t.Fatalf("a step back leads from %d to %d", at, before)
	}
	b.wait(`document.querySelector('.strip [data-act=end]')`)
	c.set("pods", "DELETED", "first", "")
	c.set("pods", "ADDED", "third", "")
	b.wait(`document.querySelector('.streams').textContent.includes('3 events')`)
	b.wait(`/\d{2} steps behind/.test(document.querySelector('.live-chip').textContent)`)
	if b.step() != before {
		t.Errorf("paused at step %d, the page shows step %d", before, b.step())
	}
	b.shot("paused")
	b.click(`.strip [data-act=end]`)
	b.waitForKey("shop/third", true)
	b.waitForKey("shop/first", false)
	b.wait(`document.querySelector('.strip .live-chip.on')`)
	c.set("pods", "ADDED", "fourth", "")
	b.waitForKey("shop/fourth", true)

	b.click(`.strip [data-act=unfollow]`)
	b.wait(`document.documentElement.dataset.live === 'stopped' && document.querySelector('.live-chip.over')`)
	c.set("pods", "ADDED", "fifth", "")
	b.key("Home")
	b.stepIs(0)
	b.key("End")
	b.waitForKey("shop/fourth", true)
	if eval[bool](b, `document.querySelector('main').textContent.includes('fifth')`) {
		t.Error("the page still watches after it was stopped")
	}
	// The viewer starts again from the dialog.
	b.key("l")
	b.wait(`document.querySelector('dialog[open] .followed') && document.querySelector('dialog[open] [data-act=follow]')`)
	b.shot("stopped")
	b.follows()
	b.waitForKey("shop/fifth", true)
}

// Everything can be done without a mouse.
func TestWatchesByKeyboard(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set("pods", "ADDED", "first", "")
	b := newTab(t)
	b.allow("404")
	b.goTo(c.site())
	b.ready()
	b.loaded()
	b.key("l")
	b.wait(`document.querySelector('dialog[open] [data-act=follow]')`)
	const focused = `(e => (e.dataset.act ?? e.tagName) + ' ' + (e.dataset.arg ?? ''))(document.activeElement)`
	to := func(want string) {
		t.Helper()
		var seen []string
		for range 30 {
			now := strings.TrimSpace(eval[string](b, focused))
			if now == want {
				return
			}
			seen = append(seen, now)
			b.key("Tab")
		}
		t.Fatalf("Tab doesn't lead to %s, but to %q", want, seen)
	}
	for _, control := range []string{"close", "editWant filter", "want pods", "want secrets", "editWant namespace", "editWant selector", "editWant streaming", "follow", "discover"} {
		to(control)
	}
	to("want secrets")
	b.key(" ")
	b.wait(`document.querySelectorAll('dialog[open] [data-act=want]:checked').length === 2`)
	to("editWant namespace")
	b.perform(chromedp.KeyEvent("shop"))
	to("follow")
	b.key("Enter")
	b.wait(`document.documentElement.dataset.live === 'following'`)
	if asked := c.requests("secrets"); len(asked) == 0 || !strings.HasPrefix(asked[0], "/api/v1/namespaces/shop/secrets") {
		t.Errorf("the page asked the API server for %q", asked)
	}
	b.waitForKey("shop/first", true)
}

// Everything can be reached on a telephone.
func TestDialogsFitANarrowScreen(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set("pods", "ADDED", "first", "")
	b := newTab(t)
	b.allow("404")
	b.size(390, 844)
	b.goTo(c.site())
	b.ready()
	b.loaded()
	fits := func(what string, controls ...string) {
		t.Helper()
		b.shot(what)
		if over := eval[int](b, `Math.max(document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll('dialog[open], dialog[open] .dialog-body, .top, .strip')].map(e => e.scrollWidth - e.clientWidth))`); over > 0 {
			t.Errorf("%s: %d pixels too wide", what, over)
		}
		for _, control := range controls {
			if !eval[bool](b, `(() => { const r = document.querySelector('`+control+`').getBoundingClientRect();
				return r.width >= 20 && r.height >= 20 && r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight })()`) {
				t.Errorf("%s: %s is out of reach", what, control)
			}
		}
	}
	fits("page", `header [data-arg=open]`, `header [data-arg=share]`, `header [data-act=about]`)
	for _, dialog := range []string{"about", "save", "live"} {
		b.opensDialog(dialog)
		b.wait(`document.documentElement.dataset.dialog === '` + dialog + `' && document.querySelector('dialog[open] footer')`)
		fits(dialog, `dialog[open] [data-act=close]`, `dialog[open] footer button`)
		if dialog != "live" {
			b.key("Escape")
			b.wait(`!document.querySelector('dialog[open]')`)
		}
	}
	b.follows()
	b.waitForKey("shop/first", true)
	b.wait(`document.querySelector('.strip .is-watching')`)
	fits("following", `.strip .live-chip`, `.strip [data-act=live]`, `.strip [data-act=unfollow]`, onPlay)
	b.click(`.strip [data-act=live]`)
	b.wait(`document.querySelector('dialog[open] .followed')`)
	fits("how it goes", `dialog[open] [data-act=unfollow]`)
}

// Each way in which a watch can fail is shown by its name.
func TestBrokenWatches(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.set("pods", "ADDED", "first", "")
	b := c.openChooser(t)
	b.follows()
	b.waitForKey("shop/first", true)

	// After a watch has ended, the next one goes on from the same version.
	c.set("pods", "ADDED", "second", "")
	b.waitForKey("shop/second", true)
	watches := len(c.requests("watch="))
	b.wait(`document.querySelector('.strip .is-watching')`)
	c.end()
	c.set("pods", "ADDED", "third", "")
	b.waitForKey("shop/third", true)
	if now := c.requests("watch="); len(now) <= watches || !strings.Contains(now[len(now)-1], "resourceVersion=102") {
		t.Errorf("after the watch ended: %q", now)
	}
	b.wait(`document.querySelector('main').dataset.watch === 'open'`)

	// After a 410 the page says so, and a list follows.
	lists := len(c.requests("limit="))
	b.passes(`/410/.test(document.querySelector('.streams').textContent)`, c.compact)
	b.shot("410")
	b.wait(`document.querySelector('.strip .is-watching')`)
	c.set("pods", "ADDED", "fourth", "")
	b.waitForKey("shop/fourth", true)
	if now := len(c.requests("limit=")); now != lists+1 {
		t.Errorf("the page made %d lists after the 410, and %d before", now, lists)
	}
	b.click(`.strip [data-act=live]`)
	b.wait(`document.querySelector('dialog[open] .followed tbody tr td:last-child')?.textContent === '1'`)
	b.key("Escape")

	// The server goes away and comes back.
	c.leave()
	b.wait(`/connection/.test(document.querySelector('.streams').textContent) && /again in/.test(document.querySelector('.streams').textContent)`)
	b.wait(`/connection lost/.test(document.querySelector('.streams').textContent)`)
	b.wait(`document.querySelector('.strip .live-chip.stalled')`)
	b.wait(`[...document.querySelectorAll('[aria-live]')].some(e => /pods: connection lost/.test(e.textContent))`)
	b.shot("lost")
	if eval[string](b, `document.documentElement.dataset.live`) != "following" {
		t.Error("a lost connection ends the following")
	}
	c.arrive()
	b.wait(`document.querySelector('.strip .is-watching')`)
	c.set("pods", "ADDED", "fifth", "")
	b.waitForKey("shop/fifth", true)
}

// hasten lets a page that the cluster serves have its worker's clock go on by as much as hurry says.
func (c *cluster) hasten() {
	served := c.http.Handler
	c.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/worker/engine.js") {
			served.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Accept-Encoding")
		answer := httptest.NewRecorder()
		served.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.Header().Del("Content-Length")
		fmt.Fprintf(w, `%s
{
  const clock = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => clock() + ahead;
  new BroadcastChannel('clock').onmessage = ({data}) => { ahead += data; };
}
`, answer.Body)
	})
}

// hurry has the clock of the page's worker go on.
func (b *tab) hurry(ms int) {
	b.t.Helper()
	b.run(`new BroadcastChannel('clock').postMessage(` + strconv.Itoa(ms) + `)`)
}

// After the first minute of a cluster, its card is shown by itself, with what was found until then, and goes on as more comes.
// One press leads to the machine, and the card doesn't come again by itself.
func TestTheCardOfACluster(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.hasten()
	c.set("pods", "ADDED", "hot", "")
	b := c.openChooser(t)
	began := time.Now()
	b.follows()
	b.waitForKey("shop/hot", true)
	for range 130 {
		c.set("pods", "MODIFIED", "hot", "")
	}
	b.wait(`document.querySelector('.streams').textContent.includes('130 events')`)
	if b.state("view") == "card" && time.Since(began) < 50*time.Second { // on a very busy machine the minute is over
		t.Error("the card is shown before a minute is over")
	}
	b.hurry(60_000)
	b.wait(`document.documentElement.dataset.view === 'card' && /shop\/hot/.test(document.querySelector('.card-finding')?.textContent)`)
	b.shot("card")
	for range 10 {
		c.set("pods", "MODIFIED", "hot", "")
	}
	b.wait(`/140 (changes|events)/.test(document.querySelector('.card').textContent)`)
	b.key("O")
	b.wait(`document.documentElement.dataset.view !== 'card' && document.querySelector('.stage')`)
	c.set("pods", "ADDED", "late", "")
	b.hurry(60_000)
	b.key("End")
	b.waitForKey("shop/late", true)
	if b.state("view") == "card" {
		t.Error("the card comes back by itself")
	}
}
