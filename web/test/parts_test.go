package test

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// What the program reads comes to the page in order, and nothing of it twice or never, whatever happens: answers are late,
// the capture ends with a fault, the program ends, or the reading is held or stopped. Node plays the program.
func TestPartsOfTheProgramComeInOrder(t *testing.T) {
	t.Parallel()
	run := inNode(t, "parts.js", "parts", "later", "start")
	for _, seed := range []string{"1", num(time.Now().Unix() % 1e6)} {
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
				b.key("Home")
				b.stepIs(0)
				b.key("End")
				b.allow("opened/") // requests that the program doesn't answer any more
				stop()
				b.wait(`document.documentElement.dataset.step > 0`)
				b.run(`document.querySelectorAll('main [data-act=inspect]')[3].click()`)
				b.wait(`document.body.innerText.includes('the informerscope that opened this capture has ended')`)
			}
			b.upload(onFile, c.file)
			b.wait(`document.documentElement.dataset.loading === 'true'`)
			b.loaded()
			if whole := shown(); parts != whole || !strings.Contains(parts, c.says) {
				t.Errorf("in parts, the page shows\n%s\nand as a whole\n%s", parts, whole)
			}
		})
	}
}
