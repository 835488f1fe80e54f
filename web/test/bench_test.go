package test

import (
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// BenchmarkEngine compares the engine in Chromium with the engine as a native
// program. The two take turns, because a shared machine is faster at one moment
// than at another. The result is the median of the turns' ratios.
func BenchmarkEngine(b *testing.B) {
	dir := b.TempDir()
	compile := func(out string, env ...string) {
		c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-pgo=wasm/default.pgo", "-o", out, "./engine/conformance/bench/measure")
		c.Dir = "../.."
		c.Env = append(os.Environ(), env...)
		if text, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, text)
		}
	}
	compile(filepath.Join(dir, "native"))
	compile(filepath.Join(dir, "measure.wasm"), "GOOS=js", "GOARCH=wasm")
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{
		"index.html":   `<!doctype html><title>bench</title><link rel="icon" href="data:,"><pre></pre><script src="wasm_exec.js"></script><script src="run.js"></script>`,
		"wasm_exec.js": string(glue),
		"run.js": `
			const log = console.log;
			console.log = (...args) => { document.querySelector('pre').textContent += args.join(' ') + '\n'; log(...args) };
			const go = new Go();
			WebAssembly.instantiateStreaming(fetch('measure.wasm'), go.importObject).then(r => go.run(r.instance)).then(() => document.body.dataset.done = 'true');`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	site, err := serveFolder(b.Context(), dir, "")
	if err != nil {
		b.Fatal(err)
	}
	const rounds = 15 // single rounds differ by half on a shared machine
	for b.Loop() {
		var chromium, slower []float64
		for range rounds {
			text, err := exec.Command(filepath.Join(dir, "native")).Output()
			if err != nil {
				b.Fatal(err)
			}
			native := speed(b, string(text))
			b.Run("chromium", func(b *testing.B) { // closes its page at its end
				page := newTab(b)
				page.allow("Go program has already exited") // a timer of its runtime may come after its end
				page.goTo(site)
				page.wait(`document.body.dataset.done`)
				there := speed(b, page.text("pre"))
				chromium, slower = append(chromium, there), append(slower, native/there)
			})
		}
		fmt.Printf("engine in Chromium:                       %9.0f watch events/s = 1/%.2f of native (wanted: at least 1/3.5)\n", median(chromium), median(slower))
	}
}

func median(of []float64) float64 {
	return slices.Sorted(slices.Values(of))[len(of)/2]
}

var speedLine = regexp.MustCompile(`(\d+) events/s`)

func speed(b *testing.B, text string) float64 {
	m := speedLine.FindStringSubmatch(text)
	if m == nil {
		b.Fatalf("there is no speed in the output %q", text)
	}
	v, _ := strconv.ParseFloat(m[1], 64)
	return v
}

// BenchmarkPage measures the page on large traces: those in the folder that
// INFORMERSCOPE_TRACES names, or one that it makes up.
func BenchmarkPage(b *testing.B) {
	dir := os.Getenv("INFORMERSCOPE_TRACES")
	if dir == "" {
		file, size := podsTrace(b, "made-up.trace.jsonl.gz", 50_000, 4_000, 3_500)
		for b.Loop() {
			measurePage(b, file, size)
		}
		return
	}
	// Each trace has its page to itself and closes it at the end. Otherwise
	// memory that the browser takes back from one page would count for the next
	// one.
	for _, name := range []string{"large/pods.watch.ndjson.gz", "large/all.trace.jsonl.gz"} {
		b.Run(name, func(b *testing.B) {
			file := filepath.Join(dir, name)
			size := unzippedSize(b, file)
			for b.Loop() {
				measurePage(b, file, size)
			}
		})
	}
}

func unzippedSize(b *testing.B, name string) int64 {
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	n, err := io.Copy(io.Discard, z)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// loading is the cost of opening a trace in a fresh page.
type loading struct {
	speed, first         float64 // MB/s, and the share of the whole until the first step was on screen
	settled, most, blobs float64 // of memory: how much the page's grew, at last and at most, and how much the browser's grew, as shares of the JSON
	long                 []int
}

func load(page *tab, file string, mb float64) loading {
	page.loaded()
	before, kept := page.settled(), page.memory("browser")
	page.longTasks(true)
	peak := page.peak("renderer")
	t := page.opening(file)
	l := loading{speed: mb / (t.End - t.Chosen) * 1e3, first: (t.First - t.Chosen) / (t.End - t.Chosen), long: page.longTasks(true)}
	l.settled = (page.settled() - before) / mb
	l.most = (peak() - before) / mb
	l.blobs = (page.memory("browser") - kept) / mb
	return l
}

func measurePage(b *testing.B, file string, size int64) {
	const loads = 5
	mb := float64(size) / 1e6
	var all []loading
	for range loads - 1 {
		b.Run("load", func(b *testing.B) { all = append(all, load(open(b), file, mb)) }) // closes its page at its end
	}
	page := open(b)
	all = append(all, load(page, file, mb))
	show := func(what string, digits int, unit string, wanted any, of func(loading) float64) {
		var v []float64
		for _, l := range all {
			v = append(v, of(l))
		}
		fmt.Printf("  %-25s %6.*f %s, the median of %.*f to %.*f (wanted: %v)\n", what+":", digits, median(v), unit, digits, slices.Min(v), digits, slices.Max(v), wanted)
	}
	fmt.Printf("%s: %.0f MB of JSON, opened in %d fresh pages\n", filepath.Base(file), mb, loads)
	show("from file to steppable", 0, "MB/s", 100, func(l loading) float64 { return l.speed })
	show("first step on screen", 1, "% of the whole", 5, func(l loading) float64 { return l.first * 100 })
	show("memory of the page", 2, "of the JSON more", 0.3, func(l loading) float64 { return l.settled })
	show("the most while it opens", 2, "of the JSON more", 1.2, func(l loading) float64 { return l.most })
	show("memory of the browser", 2, "of the JSON more", "with the page's 1.2", func(l loading) float64 { return l.blobs })
	var long []int
	for _, l := range all {
		long = append(long, l.long...)
	}
	fmt.Printf("  long tasks while loading: %6v (wanted: none)\n", long)

	b.Run("tasks", func(b *testing.B) {
		fresh := open(b)
		fresh.loaded()
		took := fresh.longest(func() { fresh.opening(file) })
		fmt.Printf("  the longest of them:      %6.0f ms of the processor's time (wanted: below 50)\n", took[:min(len(took), 5)])
	})

	page.machine() // a capture opens on its card
	middle, worst := page.seeks(60)
	fmt.Printf("  seek:                     %6.0f ms at the median, %.0f at worst (wanted: 50 and 150)\n", middle, worst)
	fmt.Printf("  long tasks while seeking: %6v\n", page.longTasks(true))
	change, flip := page.changes(24)
	fmt.Printf("  change something:         %6.0f ms at the median, %.0f at worst (wanted: 100)\n", median(change), slices.Max(change))
	fmt.Printf("  show the other future:    %6.0f ms at the median, %.0f at worst (wanted: 50 and 150)\n", median(flip), slices.Max(flip))
	fmt.Printf("  long tasks meanwhile:     %6v (wanted: none)\n", page.longTasks(true))
	page.key("4")
	for _, speed := range []string{"as it opens", "four times faster"} {
		if speed != "as it opens" {
			page.key(">")
			page.key(">")
		}
		frames, worst := page.frames(5 * time.Second)
		fmt.Printf("  playing, %-17s %5.1f frames/s, the longest %.0f ms (wanted: 55); long tasks: %v\n", speed+":", frames, worst, page.longTasks(true))
	}
}

// opening has three moments by the page's own clock, in milliseconds: a file
// was chosen, its first step was on screen, all of it was read and run.
type opening struct{ Chosen, First, End float64 }

// opening opens a file. The page itself notes the moments, because looking
// frame by frame, as tests do, would slow the page that is measured.
func (b *tab) opening(file string) opening {
	b.t.Helper()
	b.run(`
		const root = document.documentElement, t = {Chosen: 0, First: 0, End: 0};
		document.querySelector('` + onFile + `').addEventListener('change', () => { t.Chosen = performance.now() }, {capture: true});
		window.__opening = new Promise(done => {
			let began = false;
			new MutationObserver((_, observer) => {
				const now = performance.now();
				began ||= t.Chosen && root.dataset.loading === 'true';
				if (!began) return;
				if (!t.First && root.dataset.step === '0' && root.dataset.ready === 'true' && document.querySelector('.source').textContent.includes(` + quote(filepath.Base(file)) + `)) t.First = now;
				if (root.dataset.loading === 'true') return;
				t.End = now;
				observer.disconnect();
				done(t);
			}).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
		});`)
	b.upload(onFile, file)
	return eval[opening](b, `window.__opening`)
}

// seeks clicks n places of the timeline. It returns the median and the worst
// time until a step was shown, in milliseconds.
func (b *tab) seeks(n int) (middle, worst float64) {
	b.t.Helper()
	r := eval[[]float64](b, `(() => { const r = document.querySelector('`+onTimeline+`').getBoundingClientRect(); return [r.left, r.top, r.width, r.height] })()`)
	b.run(`window.__down = 0; window.__shown = [];
		addEventListener('pointerdown', () => { window.__down = performance.now() }, {capture: true});
		new MutationObserver(() => { if (window.__down) { window.__shown.push(performance.now() - window.__down); window.__down = 0 } })
			.observe(document.documentElement, {attributes: true, attributeFilter: ['data-step']});`)
	random := rand.New(rand.NewPCG(1, 2))
	last := 0.0
	for done := range n {
		part := random.Float64()
		if math.Abs(part-last) < 0.01 { // the same step, perhaps
			part = math.Mod(part+0.5, 1)
		}
		last = part
		b.perform(chromedp.MouseClickXY(r[0]+r[2]*(0.02+0.96*part), r[1]+r[3]/2))
		b.wait(`window.__shown.length > ` + strconv.Itoa(done))
	}
	took := eval[[]float64](b, `window.__shown`)
	return median(took), slices.Max(took)
}

// changes compacts the server's etcd at n places of the run, and each time shows the
// recorded future and the new one again. It returns how long it took until these
// were shown, in milliseconds.
func (b *tab) changes(n int) (change, flip []float64) {
	b.t.Helper()
	r := eval[[]float64](b, `(() => { const r = document.querySelector('`+onTimeline+`').getBoundingClientRect(); return [r.left, r.top, r.width, r.height] })()`)
	b.run(`window.__took = (event, shown) => new Promise(done => {
		addEventListener(event, () => {
			const began = performance.now();
			const look = () => shown() ? done(performance.now() - began) : requestAnimationFrame(look);
			look();
		}, {capture: true, once: true});
	});
	window.__future = () => document.querySelector('.future[data-shown]')?.innerText ?? '';`)
	random := rand.New(rand.NewPCG(3, 4))
	for range n {
		at := b.step()
		b.perform(chromedp.MouseClickXY(r[0]+r[2]*(0.02+0.96*random.Float64()), r[1]+r[3]/2))
		at = b.stepMoves(at)
		b.click(`.st-server .menu > button`)
		b.wait(`document.querySelector('.st-server [role=menu]')`)
		b.run(`window.__change = window.__took('pointerdown', () => window.__future().startsWith('compact') && document.documentElement.dataset.step === '` + num(at+1) + `')`)
		b.click(`.st-server [role=menuitem][data-arg="compact"]`)
		change = append(change, eval[float64](b, `window.__change`))
		for _, to := range []string{"As recorded", "compact"} {
			b.run(`window.__flip = window.__took('keydown', () => window.__future().startsWith(` + quote(to) + `))`)
			b.key("b")
			flip = append(flip, eval[float64](b, `window.__flip`))
		}
		b.key("u")
		b.wait(futures + ` === '[As recorded]'`)
		r = eval[[]float64](b, `(() => { const r = document.querySelector('`+onTimeline+`').getBoundingClientRect(); return [r.left, r.top, r.width, r.height] })()`)
	}
	return change, flip
}

// frames plays for a while and returns the frames a second and the longest one
// in milliseconds.
func (b *tab) frames(d time.Duration) (perSecond, longest float64) {
	b.t.Helper()
	b.run(`document.activeElement.blur()`) // a button that has the focus would take the space for itself
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing === 'true'`)
	got := eval[[]float64](b, `new Promise(done => {
		const begin = performance.now(); let frames = 0, last = begin, longest = 0;
		const frame = () => {
			const now = performance.now();
			longest = Math.max(longest, now - last); last = now; frames++;
			if (now - begin < `+strconv.FormatInt(d.Milliseconds(), 10)+`) requestAnimationFrame(frame);
			else done([frames * 1000 / (now - begin), longest]);
		};
		requestAnimationFrame(frame);
	})`)
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
	return got[0], got[1]
}

// watchEvent is one watch event, for the formats to write.
type watchEvent struct {
	kind   string // ADDED, MODIFIED
	n      int    // its number
	object string
}

var began = time.Date(2026, 11, 20, 21, 0, 0, 0, time.UTC)

// at is the time of the event. Events are as far apart as the page assumes
// where a format has no times, so the engine has the same work in all formats.
func (e watchEvent) at() time.Time { return began.Add(time.Duration(e.n) * 10 * time.Millisecond) }

// lineFormats are the formats that write an event as a line. The others are
// measured against the first one.
var lineFormats = []struct {
	name  string
	write func(w io.Writer, e watchEvent)
}{
	{"pods.watch.ndjson", func(w io.Writer, e watchEvent) { fmt.Fprintf(w, `{"type":"%s","object":%s}`+"\n", e.kind, e.object) }},
	{"kubectl.json", func(w io.Writer, e watchEvent) {
		object := strings.Replace(e.object, `"kind":"Pod","apiVersion":"v1",`, `"apiVersion":"v1","kind":"Pod",`, 1)
		fmt.Fprintf(w, `{"object":%s,"type":"%s"}`+"\n", object, e.kind)
	}},
	{"own.trace.jsonl", func(w io.Writer, e watchEvent) {
		if e.n == 0 {
			io.WriteString(w, `{"informerscope":"trace","version":1}`+"\n"+`{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}`+"\n")
		}
		fmt.Fprintf(w, `{"t":%d,"id":1,"event":{"type":"%s","object":%s}}`+"\n", e.at().Sub(began), e.kind, e.object)
	}},
	{"bare.json", func(w io.Writer, e watchEvent) { io.WriteString(w, e.object+"\n") }},
	{"audit.log", func(w io.Writer, e watchEvent) {
		verb, code := "update", 200
		if e.kind == "ADDED" {
			verb, code = "create", 201
		}
		at := e.at().Format("2006-01-02T15:04:05.000000Z")
		fmt.Fprintf(w, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/load-0/pods/x","verb":"%s",`+
			`"user":{"username":"admin"},"objectRef":{"resource":"pods","namespace":"load-0","name":"x","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":%d},"responseObject":%s,`+
			`"requestReceivedTimestamp":"%s","stageTimestamp":"%s"}`+"\n", e.n, verb, code, e.object, at, at)
	}},
	{"scheduler.jsonl", func(w io.Writer, e watchEvent) {
		event := map[string]string{"ADDED": "Add", "MODIFIED": "Update"}[e.kind]
		fmt.Fprintf(w, `{"time":"%s","event":"%s","resource":%s}`+"\n", e.at().Format(time.RFC3339Nano), event, e.object)
	}},
}

// BenchmarkFormats reads the same events in each of lineFormats. The formats
// take turns, because a shared machine is faster at one moment than at another.
// The result is the median of a format's speeds, each as a part of the watch
// stream's speed in the same turn.
func BenchmarkFormats(b *testing.B) {
	const events, keys, objectSize, rounds = 45_000, 4_500, 4_000, 5 // as in the large capture of pods
	padding := strings.Repeat("x", objectSize-len(pod(0, 0, "")))
	files := make([]string, len(lineFormats))
	for i, f := range lineFormats {
		files[i] = writeFile(b, f.name, func(w io.Writer) {
			for i := range events {
				e := watchEvent{"MODIFIED", i, pod(i%keys, 100_000+i, padding)}
				if i < keys {
					e.kind = "ADDED"
				}
				f.write(w, e)
			}
		})
	}
	for b.Loop() {
		speeds := make([][]float64, len(lineFormats))
		for range rounds {
			for i, f := range lineFormats {
				info, err := os.Stat(files[i])
				if err != nil {
					b.Fatal(err)
				}
				b.Run(f.name, func(b *testing.B) {
					speeds[i] = append(speeds[i], float64(info.Size())/1e3/readIn(b, files[i], f.name))
				})
			}
		}
		for i, f := range lineFormats {
			var share []float64
			for round, speed := range speeds[i] {
				share = append(share, speed/speeds[0][round])
			}
			fmt.Printf("reading %-19s %6.0f MB/s = %3.0f %% of the watch stream's (wanted: 60)\n", f.name+":", median(speeds[i]), median(share)*100)
		}
	}
}

// readIn opens a file in a page that has the converting program already,
// because it has converted another file. It returns the milliseconds until the
// file can be stepped to its end.
func readIn(b *testing.B, file, name string) float64 {
	page := open(b)
	page.loaded()
	page.upload(onFile, testdata(b, "format/testdata/kubectl-get-pods-w-noevents.json.gz"))
	page.opened("kubectl-get-pods-w-noevents")
	times := page.opening(file)
	if !strings.Contains(page.text("body"), name) {
		b.Fatalf("%s did not open: %s", name, page.text("body"))
	}
	return times.End - times.Chosen
}

// BenchmarkSearch measures how long a search of a large trace takes: until its first hits are
// listed, and until all are known. One expression is about facts alone, and one looks at the
// state in each step.
func BenchmarkSearch(b *testing.B) {
	for _, events := range []int{100_000, 500_000} {
		b.Run(num(int64(events)), func(b *testing.B) {
			file, _ := podsTrace(b, "search.trace.jsonl.gz", events, 4_000, 600)
			t := open(b)
			t.loaded()
			t.upload(onFile, file)
			t.opened("search")
			t.loaded()
			for b.Loop() {
				for _, text := range []string{`call("audit", "OnDelete")`, `behind("audit") > 100 && depth() > 0`} {
					t.writes(text)
					t.wait(`document.querySelector('[data-act=watchExpr]')?.disabled === false`)
					took := eval[[]float64](t, `(async () => {
						const from = performance.now(), until = async (yes) => { while (!yes()) await new Promise(requestAnimationFrame); return performance.now() - from; };
						document.querySelector('[data-act=watchExpr]').click();
						const of = () => document.querySelector('.watched-head code')?.textContent === `+quote(text)+`;
						const first = await until(() => of() && document.querySelectorAll('.hits button').length > 0);
						return [first, await until(() => of() && !document.querySelector('[data-act=stopExpr]'))];
					})()`)
					fmt.Printf("search of %d events for %s: the first hits after %.0f ms, all after %.0f ms\n", events, text, took[0], took[1])
				}
			}
		})
	}
}

var gigabytes = flag.Float64("gigabytes", 10, "how much JSON the recording of BenchmarkGigabytes has")

// leastGigabytes is how much JSON is worth measuring.
const leastGigabytes = 4

// BenchmarkGigabytes measures the page on a recording that is larger than the memory of a tab: plain, and gzipped. It
// writes the recording on the disk first. Where that has no room, the recording is smaller.
func BenchmarkGigabytes(b *testing.B) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(os.TempDir(), &disk); err != nil {
		b.Fatal(err)
	}
	want := *gigabytes
	if room := float64(disk.Bavail) * float64(disk.Bsize) / 1e9 / 1.5; room < want {
		fmt.Printf("the disk has room for a recording of %.1f GB, and not for one of %.1f GB\n", room, want)
		if want = room; want < leastGigabytes {
			b.Fatalf("at least %d GB are wanted", leastGigabytes)
		}
	}
	for _, name := range []string{"made-up.trace.jsonl", "made-up.trace.jsonl.gz"} {
		b.Run(name, func(b *testing.B) {
			file, size := podsTrace(b, name, int(want*1e9/3_585), 4_500, 3_500)
			stored, err := os.Stat(file)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				page, mb := open(b), float64(size)/1e6
				l := load(page, file, mb)
				fmt.Printf("%s: %.1f GB of JSON in a file of %.1f GB\n", name, mb/1e3, float64(stored.Size())/1e9)
				fmt.Printf("  from file to steppable:   %6.0f MB/s, the first step after %.1f s\n", l.speed, l.first*mb/l.speed)
				fmt.Printf("  memory of the page:       %6.0f MB more, %.0f at most (wanted: 1000)\n", l.settled*mb, l.most*mb)
				fmt.Printf("  memory of the browser:    %6.0f MB more\n", l.blobs*mb)
				fmt.Printf("  long tasks while loading: %6v (wanted: none)\n", l.long)
				middle, worst := page.seeks(40)
				fmt.Printf("  seek:                     %6.0f ms at the median, %.0f at worst (wanted: 150 and 300)\n", middle, worst)
				change, flip := page.changes(5)
				fmt.Printf("  change something:         %6.0f ms at the median, %.0f at worst\n", median(change), slices.Max(change))
				fmt.Printf("  show the other future:    %6.0f ms at the median, %.0f at worst\n", median(flip), slices.Max(flip))
			}
		})
	}
}

// settled returns the memory of the pages once it has not changed for two
// seconds. After a capture is open, the browser compiles code and frees memory
// for seconds, and the page looks for damage.
func (b *tab) settled() float64 {
	b.t.Helper()
	last, same := b.memory("renderer"), 0
	for range 40 {
		eval[bool](b, `new Promise(done => setTimeout(() => done(true), 500))`)
		now := b.memory("renderer")
		if same++; math.Abs(now-last) >= 1 {
			last, same = now, 0
		}
		if same == 4 {
			break
		}
	}
	return last
}

// memory returns the memory of the browser's processes of a kind, in MB. A
// "renderer" shows pages and runs their workers; the "browser" holds the bytes
// of their Blobs.
func (b *tab) memory(kind string) float64 {
	b.t.Helper()
	return resident(b.processes(kind))
}

// peak measures that memory all the time. It returns a function that stops it
// and returns the greatest value.
func (b *tab) peak(kind string) func() float64 {
	b.t.Helper()
	processes, end, most := b.processes(kind), make(chan bool), make(chan float64)
	go func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		high := 0.0
		for {
			select {
			case <-tick.C:
				high = max(high, resident(processes))
			case <-end:
				most <- high
				return
			}
		}
	}()
	return func() float64 { close(end); return <-most }
}

func (b *tab) processes(kind string) (ids []int64) {
	b.t.Helper()
	r, err := chromedp.CallBrowser(b.ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	b.check(err)
	for _, p := range r.ProcessInfo {
		if p.Type == kind {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// resident returns the resident memory of processes, in MB.
func resident(processes []int64) float64 {
	var kb int64
	for _, id := range processes {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
		if err != nil {
			continue // it has ended meanwhile
		}
		for line := range strings.Lines(string(status)) {
			if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				n, _ := strconv.ParseInt(strings.Fields(v)[0], 10, 64)
				kb += n
			}
		}
	}
	return float64(kb) / 1e3
}
