package test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/informerscope/informerscope/replay/serve"
)

// env is what all tests share: one Chromium, one server, and a proxy that
// stands for the whole world outside of this machine.
var env struct {
	browser context.Context
	site    string // the built page's address
	outside outside
	proxy   string // the proxy's address
}

// dist is the page that the tests open. make bench-against measures another one, too.
var dist = flag.String("dist", "../../dist", "the built page")

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if _, err := os.Stat(*dist + "/index.html"); err != nil {
		fmt.Fprintf(os.Stderr, "no built page in %s: make dist\n", *dist)
		return 1
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var err error
	if env.site, err = serveFolder(ctx, *dist, ""); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if env.proxy, err = env.outside.listen(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// Measurements get what viewers get.
	measures := flag.Lookup("test.bench").Value.String() != ""
	chromium, err := findChromium(measures)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// Optimizing the program takes a seventh of the work of all tests, and most tabs are
	// closed before that is of use.
	var engine []string
	if !measures {
		engine = []string{"--liftoff-only", "--wasm-lazy-validation"}
	}
	if *jitter != 0 {
		fmt.Fprintln(os.Stderr, "messages are late by the seed", *jitter)
	}
	allocator, cancel := chromedp.NewExecAllocator(ctx, chromiumOptions(chromium, engine...)...)
	defer cancel()
	var stop context.CancelFunc
	env.browser, stop = chromedp.NewContext(allocator)
	defer stop()
	if err := chromedp.Do(env.browser); err != nil { // starts it
		fmt.Fprintln(os.Stderr, "Chromium does not start:", err)
		return 1
	}
	code := m.Run()
	if stopFirefox != nil {
		stopFirefox()
	}
	if stopScreen != nil {
		stopScreen()
	}
	return code
}

// chromiumOptions are the options of the Chromium at a path. engine are flags of its JavaScript engine.
func chromiumOptions(path string, engine ...string) []chromedp.ExecAllocatorOption {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // tests also run as root, in containers
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("enable-precise-memory-info", true),
		// Each window brings pages of its own for what is typed as an address, a fifth of the work of a test.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"),
		chromedp.Flag("lang", "en-US"),
		chromedp.Flag("proxy-server", "http://"+env.proxy),
		chromedp.WindowSize(1440, 900),
	)
	if len(engine) > 0 {
		options = append(options, chromedp.Flag("js-flags", strings.Join(engine, " ")))
	}
	return options
}

// findChromium prefers the headless shell, whose pages have no window around them: the windows are half the
// work of a test. It prefers the whole browser if whole is true.
func findChromium(whole bool) (string, error) {
	first := []string{"chromium-headless-shell", "chrome-headless-shell"}
	then := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	if whole {
		first, then = then, first
	}
	for _, name := range slices.Concat([]string{os.Getenv("CHROMIUM")}, first, then) {
		if name == "" {
			continue
		}
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("no Chromium: make chromium installs Debian's, or let CHROMIUM name one")
}

// serveFolder serves dir below prefix ("" or "/a/b") until ctx is done, and
// returns its address.
func serveFolder(ctx context.Context, dir, prefix string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	l, err := serve.Listen(0)
	if err != nil {
		return "", err
	}
	go func() {
		defer root.Close()
		serve.Run(ctx, l, http.StripPrefix(prefix, serve.Static(root)))
	}()
	return "http://" + l.Addr().String() + prefix + "/", nil
}

// outside is a proxy for every address that is not on this machine. It notes
// each request, whether of a page, a worker or a service worker, and refuses
// it.
type outside struct {
	mu    sync.Mutex
	asked []string
}

func (o *outside) listen() (addr string, err error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		o.asked = append(o.asked, r.Method+" "+r.URL.String()+" for "+r.Host)
		o.mu.Unlock()
		io.Copy(io.Discard, r.Body)
		http.Error(w, "there is no outside", http.StatusForbidden)
	}))
	return l.Addr().String(), nil
}

// requests returns the noted requests that contain what, or all where that is
// "".
func (o *outside) requests(what string) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var found []string
	for _, a := range o.asked {
		// Chromium's own housekeeping, which no flag turns off.
		if strings.Contains(a, "google") || strings.Contains(a, "gvt1.com") {
			continue
		}
		if strings.Contains(a, what) {
			found = append(found, a)
		}
	}
	return found
}

// counters is a script that runs before the first one of a document. It counts
// tasks of over 50 ms on the page's own thread, and violations of the page's
// policy.
const counters = `
window.__long = [];
window.__refused = [];
new PerformanceObserver(list => { for (const e of list.getEntries()) window.__long.push(Math.round(e.duration)) })
	.observe({ type: 'longtask', buffered: true });
document.addEventListener('securitypolicyviolation', e => window.__refused.push(e.violatedDirective + ' ' + e.blockedURI));
`

// everything has the page begin with the full microscope, also in lessons, as an earlier page has kept it for a viewer who
// asked for that. Tests of a newcomer have nothing chosen.
const (
	everything = `
try {
	localStorage.density ??= 'home=full lesson=full';
} catch {} // a frame without an origin has no storage
`
	nothing = `
try {
	localStorage.removeItem('density');
} catch {}
`
)

// alone has the page keep none of its files for use offline: what it asks of the browser never comes.
const alone = `
if (globalThis.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
`

// keeping has the names of the tests whose pages keep their files.
var keeping sync.Map

// keepsFiles has the pages of a test keep their files for use offline, as viewers' pages do. That takes a
// quarter of the work of a usual test, so the others' pages don't.
func keepsFiles(t testing.TB) {
	name, _, _ := strings.Cut(t.Name(), "/")
	keeping.Store(name, true)
}

// preloaded is the script that runs before the first one of each document of a test. Measurements get what viewers get.
func preloaded(t testing.TB) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	_, keeps := keeping.Load(name)
	if _, measures := t.(*testing.B); keeps || measures {
		return everything
	}
	return everything + alone
}

func addCounters(ctx context.Context, t testing.TB) error {
	source := counters + preloaded(t)
	if *jitter != 0 {
		source += jittered(*jitter)
	}
	_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
	return err
}

// slots lets only so many tests use a browser at once. What a test and its subtests open counts as one.
type slots struct {
	mu   sync.Mutex
	free *sync.Cond
	left int
	held map[string]int // tabs by the name of the test
}

func newSlots(n int) *slots {
	s := &slots{left: n, held: map[string]int{}}
	s.free = sync.NewCond(&s.mu)
	return s
}

// Chromium paints each tab as if it were the only one. Firefox paints only the tab in front.
var (
	inChromium = newSlots(1 + runtime.NumCPU())
	inFirefox  = newSlots(1)
)

// take waits until t may open a tab, and counts that tab until t ends.
func (s *slots) take(t testing.TB) {
	name, _, _ := strings.Cut(t.Name(), "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.held[name] == 0 && s.left == 0 {
		s.free.Wait()
	}
	if s.held[name]++; s.held[name] == 1 {
		s.left--
	}
	t.Cleanup(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.held[name]--; s.held[name] == 0 {
			s.left++
			s.free.Broadcast()
		}
	})
}

// jitter makes each message between page and worker late by up to 40 milliseconds, at random, so that
// answers come between things between which they hardly ever come on one machine and often on another.
var jitter = flag.Uint64("jitter", 0, "seed of the delays between the page and its worker in Chromium, 0 for none")

// jittered returns a script that runs before the first one of a document. Messages that go the same way keep
// their order.
func jittered(seed uint64) string {
	return `(() => {
	let state = ` + strconv.FormatUint(seed&0xffffffff, 10) + ` ^ (performance.timeOrigin * 1000 >>> 0);
	const random = () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
	const lane = () => {
		const waiting = [];
		let until = 0;
		return deliver => {
			const now = performance.now();
			waiting.push(deliver);
			until = Math.max(until, now + random() * 40);
			setTimeout(() => waiting.shift()(), until - now);
		};
	};
	const {prototype} = MessagePort;
	const {postMessage} = prototype;
	const handler = Object.getOwnPropertyDescriptor(prototype, 'onmessage');
	const out = new WeakMap();
	prototype.postMessage = function (message, transfer = []) {
		if (!out.has(this)) out.set(this, lane());
		// What is sent is what it was when it was sent.
		const kept = structuredClone({message, transfer}, {transfer: Array.isArray(transfer) ? transfer : transfer.transfer});
		out.get(this)(() => postMessage.call(this, kept.message, kept.transfer));
	};
	Object.defineProperty(prototype, 'onmessage', {
		...handler,
		set(f) {
			const arrive = lane();
			handler.set.call(this, f && (e => arrive(() => f.call(this, e))));
		},
	});
})();`
}
