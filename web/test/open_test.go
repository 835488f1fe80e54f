package test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// program carries the page. make release-check takes the one of an archive.
var program = flag.String("program", "../../build/informerscope", "the program that make binary builds")

// informerscope starts the program. It returns the address that it prints, and a channel that is closed when it has
// ended.
func informerscope(t *testing.T, stdin io.Reader, args ...string) (address string, ended chan error) {
	t.Helper()
	address, ended, _ = stoppable(t, stdin, args...)
	return address, ended
}

// stoppable does what informerscope does, and also returns what ends the program.
func stoppable(t *testing.T, stdin io.Reader, args ...string) (address string, ended chan error, stop func()) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, *program, append(args, "--no-browser", "--port", "0")...)
	c.Dir, c.Stdin = ".", stdin
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		stop()
		t.Fatalf("%v (make binary builds it)", err)
	}
	ended = make(chan error, 1)
	t.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("it prints %q: %v", line, err)
	}
	go func() { ended <- c.Wait() }()
	for _, f := range strings.Fields(line) {
		if strings.HasPrefix(f, "http://127.0.0.1") {
			return f, ended, stop
		}
	}
	t.Fatalf("it prints %q", line)
	return "", nil, nil
}

// The program shows a capture at the step that the command line asks for, from one file that
// holds the page. It ends when the page is closed, and not when it is reloaded.
func TestOpenCommand(t *testing.T) {
	t.Parallel()
	address, ended := informerscope(t, nil, "open", "../../web/traces/shop.trace.jsonl.gz", "--find", "relist()")
	b := newTab(t)
	b.goTo(address)
	b.ready()
	b.wait(`document.documentElement.dataset.step > 0`)
	if said := b.text(`[aria-live]`); !strings.Contains(said, "list") {
		t.Errorf("at the first relist the page says %q", said)
	}
	if left := eval[string](b, `location.search`); left != "" {
		t.Errorf("the key stays in the address: %q", left)
	}
	at := b.step()
	b.within(b.reload)
	b.ready()
	b.stepIs(at)
	select {
	case err := <-ended:
		t.Fatalf("it ends when the page is reloaded: %v", err)
	default:
	}
	b.goTo("about:blank")
	if err := <-ended; err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// The page follows what kubectl prints to the program, as it follows a cluster: what comes before
// the first pause is the list, everything else is shown as it comes, and the viewer can pause. It
// ends as the input ends, and starts from the beginning where the page is opened again.
func TestOpenCommandFollows(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	event := func(kind, name, version string) string {
		return `{"type":"` + kind + `","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `","namespace":"shop","resourceVersion":"` + version + `","uid":"` + name + `"}}}` + "\n"
	}
	printed := func(kind, name, version string) { io.WriteString(out, event(kind, name, version)) }
	go io.WriteString(out, event("ADDED", "a-listed", "1")+event("ADDED", "b-listed", "2")) // at once: a pause would end the list
	address, _ := informerscope(t, in, "open", "-")
	b := newTab(t)
	b.goTo(address)
	b.ready()
	b.wait(`document.documentElement.dataset.live === 'following'`)
	b.waitForKey("shop/b-listed", true)
	printed("ADDED", "c-late", "3")
	b.waitForKey("shop/c-late", true)
	b.wait(`document.querySelector('.strip .is-watching') && document.querySelector('.strip .live-chip.on')`)
	b.wait(`document.querySelector('.streams').textContent.includes('1 event')`)
	b.shot("following")
	b.caughtUp()
	at := b.step()
	b.key("ArrowLeft")
	b.stepMoves(at)
	printed("DELETED", "a-listed", "4")
	b.wait(`document.querySelector('.streams').textContent.includes('2 events')`)
	b.click(`.strip [data-act=end]`)
	b.waitForKey("shop/a-listed", false)

	b.within(b.reload)
	b.ready()
	b.wait(`document.documentElement.dataset.live === 'following'`)
	b.waitForKey("shop/c-late", true)
	b.waitForKey("shop/a-listed", false)
	out.Close()
	b.wait(`document.documentElement.dataset.live === 'stopped' && document.querySelector('.live-chip.over')`)
	b.key("Home")
	b.stepIs(0)
	b.key("End")
	b.waitForKey("shop/c-late", true)
}

// The link that report --junit writes plays the same process: the first step at which the page
// finds that an assert is false is the one that the link names.
func TestReportLink(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.xml")
	c := exec.Command(*program, "report", "-q", "-o", "json", "../../web/traces/shop.trace.jsonl.gz", "--resource", "pods", "--profile", "v0.32",
		"--handler", "audit,takes=400ms", "--handler", "other,workqueue,resync=3s", "--assert", `behind("audit") <= 5 || time() < 3s`, "--junit", file, "--annotations=false")
	c.Run() // it fails, since the assert is false
	xml, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`#file=[^&]*&amp;size=\d+&amp;(\S+)&amp;step=(\d+)`).FindSubmatch(xml)
	if link == nil {
		t.Fatalf("no link: %s", xml)
	}
	want, _ := strconv.ParseInt(string(link[2]), 10, 64)
	b := newTab(t)
	b.goTo(env.site + "#trace=shop&" + strings.ReplaceAll(string(link[1]), "&amp;", "&") + "&search=" + url.QueryEscape(`behind("audit") > 5 && time() >= 3s`))
	b.ready()
	b.stepIs(want)
}

// The course opens at the lesson that the command line names.
func TestLearnCommand(t *testing.T) {
	t.Parallel()
	address, _ := informerscope(t, nil, "learn", "resync")
	b := newTab(t)
	b.goTo(address)
	b.ready()
	b.wait(`document.documentElement.dataset.lesson === 'resync'`)
}

// What the program reads comes to the page in order, and nothing of it twice or never, whatever happens: answers are late,
// the capture ends with a fault, the program ends, or the reading is held or stopped. Node plays the program.
func TestPartsOfTheProgramComeInOrder(t *testing.T) {
	t.Parallel()
	run := inNode(t, "parts.js", "parts", "later", "start")
	for _, seed := range []string{"1", "604"} {
		out, err := run(seed, "80")
		if err != nil || regexp.MustCompile(`\b0 `).MatchString(out) {
			t.Errorf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
	}
}

// auditStream writes 5 MB of an audit log, in few events, because each is run, saved and converted.
func auditStream(w io.Writer) {
	padding := strings.Repeat("x", 20_000)
	for n := range 250 {
		verb, code := "update", 200
		if n < 50 {
			verb, code = "create", 201
		}
		at := fmt.Sprintf("2026-01-02T15:04:%02d.%03d000Z", n/100, n%100*10)
		fmt.Fprintf(w, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/load-0/pods/x","verb":"%s",`+
			`"user":{"username":"admin"},"objectRef":{"resource":"pods","namespace":"load-0","name":"x","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":%d},"responseObject":%s,`+
			`"requestReceivedTimestamp":"%s","stageTimestamp":"%s"}`+"\n", n, verb, code, pod(n%50, 1000+n, padding), at, at)
	}
}

// What the program reads for the page is what the page reads by itself: of a plain file, of one that is gzipped, of one
// that is cut, and of a foreign format. The page also finds the objects, reads the capture again and converts it. When
// the program has ended, the page says so.
func TestTheProgramReadsForThePage(t *testing.T) {
	t.Parallel()
	const damaged = "could not be read: 5."
	gzipped := writeFile(t, "large.watch.ndjson.gz", largeStream)
	all, err := os.ReadFile(gzipped)
	if err != nil {
		t.Fatal(err)
	}
	cut := writeFile(t, "cut", func(w io.Writer) { w.Write(all[:len(all)-9_000]) })
	for _, c := range []struct {
		name, file, says string
		glances          bool
		in               func(testing.TB) *tab
	}{
		{"plain", writeFile(t, "large.watch.ndjson", largeStream), damaged, true, newTab},
		{"gzipped", gzipped, damaged, true, newTab},
		{"gzipped in Firefox", gzipped, damaged, true, newFox},
		{"cut", cut, "could not be read", true, newTab},
		{"foreign", writeFile(t, "audit.log", auditStream), "", false, newTab},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			address, _, stop := stoppable(t, nil, "open", c.file)
			b := c.in(t)
			b.goTo(address)
			b.ready()
			b.waitHeard("the program reads")
			if c.glances {
				b.waitHeard("the program glances")
			}
			b.loaded()
			shown := func() string {
				end := num(b.toEnd())
				b.inspect()
				return end + "\n" + b.text(`.notice`) + "\n" + b.text(`.inspector`)
			}
			parts := shown()
			if c.name == "foreign" {
				b.inBar("share", "save")
				b.wait(`document.documentElement.dataset.dialog === 'save'`)
				if trace := unzip(t, b.saved()); strings.Count(string(trace), "\n") < 250 {
					t.Errorf("the trace that is saved has %d bytes", len(trace))
				}
				b.key("Escape")
				b.wait(`!document.querySelector('dialog[open]')`)
			}
			if c.name == "plain" {
				b.click("[data-act=start]")
				b.stepIs(0)
				b.click("[data-act=end]")
				b.allow("opened/") // requests that the program doesn't answer any more
				stop()
				b.wait(`document.documentElement.dataset.step > 0`)
				b.run(`document.querySelectorAll('main [data-act=inspect]')[3].click()`)
				b.wait(`document.body.innerText.includes('the informerscope that opened this capture has ended')`)
			}
			b.passes(`document.documentElement.dataset.loading === 'true'`, func() { b.upload(onFile, c.file) })
			b.loaded()
			if whole := shown(); parts != whole || !strings.Contains(parts, c.says) {
				t.Errorf("in parts, the page shows\n%s\nand as a whole\n%s", parts, whole)
			}
		})
	}
}
