package record

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	neturl "net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/informers"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
	"github.com/informerscope/informerscope/replay/triggers"
)

// ServeHTTP answers requests for /debug/informerscope/ and below: a page that says how the
// controller's watches, handlers and workers fare and what triggered its reconciles in the last minute, and a dump at trace. With trace?seconds=30, the
// dump comes after so many seconds, as the handlers of net/http/pprof do. Only GET is answered. Page and dump have the shape of
// what was recorded, unless RingOptions say Values. The Ring opens no port: it is for the ServeMux of a controller.
func (r *Ring) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if r == nil {
		http.Error(w, "nothing is recorded", http.StatusNotFound)
		return
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET is answered", http.StatusMethodNotAllowed)
		return
	}
	switch path := req.URL.Path; {
	case strings.HasSuffix(path, "/trace"):
		r.serveTrace(w, req)
	case strings.HasSuffix(path, "/"):
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if req.Method == http.MethodGet {
			r.describe(w)
		}
	default:
		http.NotFound(w, req)
	}
}

// mostSeconds bounds how long a dump may be put off.
const mostSeconds = 3600

func (r *Ring) serveTrace(w http.ResponseWriter, req *http.Request) {
	if text := req.FormValue("seconds"); text != "" {
		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil || !(seconds >= 0 && seconds <= mostSeconds) {
			http.Error(w, fmt.Sprintf("seconds must be a number between 0 and %d", mostSeconds), http.StatusBadRequest)
			return
		}
		if !sleep(req.Context(), time.Duration(seconds*float64(time.Second))) {
			return
		}
	}
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Content-Disposition", `attachment; filename="informerscope.trace.jsonl"`)
	if req.Method == http.MethodGet {
		r.flush()
		r.dump(w, true, 0) // an error is the client's connection
	}
}

// sleep waits for d. It returns false if ctx ends before.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// describe says how the controller fares.
func (r *Ring) describe(w io.Writer) {
	r.flush()
	taking, _, err := r.o.redactor(true)
	if err != nil {
		return
	}
	url := func(s string) string { return shown(taking, "req", "url", s) }
	key := func(s string) string { return shown(taking, "work", "key", s) }
	code := func(s string) string { return shown(taking, "work", "queue", s) }
	calls := r.Recorder.calls.list()
	now := r.now()
	var b strings.Builder
	since := func(t int64) string {
		if t == 0 {
			return "never"
		}
		return elapsed(now, t).String() + " ago"
	}
	r.mu.Lock()
	fmt.Fprintf(&b, "informerscope: recording since %v, %s of lines and %s of identities are held, %d things were left out\n", elapsed(now, 0),
		plain.Size(int64(r.tail.size)), plain.Size(int64(r.tail.base.size)), r.Lost())
	fmt.Fprintf(&b, "\nrequests that have not ended: %d\n", len(r.live.requests))
	for _, q := range sorted(r.live.requests) {
		path, _, _ := strings.Cut(q.url, "?")
		fmt.Fprintf(&b, "  %s\n    %s, sent %s", url(path), q.describe(), since(q.began))
		if q.watch {
			fmt.Fprintf(&b, ", %s, last event %s, last bookmark %s", plain.Plural64(q.events, "event", "events"), since(q.last), since(q.bookmark))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\nhandlers: %d\n", len(r.live.handlers))
	for _, name := range slices.Sorted(maps.Keys(r.live.handlers)) {
		h := r.live.handlers[name]
		fmt.Fprintf(&b, "  %s: %s, last %s", code(name), plain.Plural64(h.calls, "call", "calls"), since(h.last))
		if n, known := r.live.eventsBehind(h); known {
			fmt.Fprintf(&b, ", behind by %s", plain.Plural64(n, "event", "events"))
		}
		if h.panics > 0 {
			fmt.Fprintf(&b, ", %s", plain.Plural64(h.panics, "panic", "panics"))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\ncalls of handlers that have not returned: %d\n", len(calls))
	for _, c := range calls {
		fmt.Fprintf(&b, "  %s: %s of %s runs for %v\n", code(c.Handler), c.Fn, key(c.Key), time.Duration(c.Duration).Round(time.Millisecond))
	}
	fmt.Fprintf(&b, "\nreconciles that have not ended: %d\n", len(r.live.work))
	for _, x := range sorted(r.live.work) {
		fmt.Fprintf(&b, "  %s: worker %d has %s for %v\n", code(x.controller), x.worker, key(x.key), elapsed(now, x.began))
	}
	fmt.Fprintf(&b, "\nwrites without an answer: %d\n", len(r.live.sent))
	for _, x := range sorted(r.live.sent) {
		fmt.Fprintf(&b, "  %s %s %s, sent %s\n", x.verb, x.path.Resource, key(x.key), since(x.time))
	}
	fmt.Fprintf(&b, "\nown writes that no watch has sent yet: %d\n", len(r.live.unseen))
	for _, x := range r.live.unseen {
		fmt.Fprintf(&b, "  %s %s %s @%s, answered %s\n", x.verb, x.path.Resource, key(x.key), x.version.rv, since(x.time))
	}
	r.mu.Unlock()
	if d := r.decoded(); d != nil {
		d.contents(&b, url, code)
		r.woken(&b, d, code, func(s string) string { return shown(taking, "mark", "text", s) })
	}
	b.WriteString("\ntrace: a dump, for the informerscope page or command; trace?seconds=30 waits first\n")
	io.WriteString(w, b.String())
}

// decoded returns what a dump has, nil if it can't be read. It takes as long as a dump.
func (r *Ring) decoded() *decoding {
	d := &decoding{metadata: informers.Metadata{}}
	d.managers.Bytes, d.managers.Seen = d.bytes, d.metadata.Weigh
	if _, err := r.dumpBy(d, nil, nil, 0); err != nil || d.err != nil {
		return nil
	}
	return d
}

// woken says of each controller what has triggered its reconciles in the last minute.
func (r *Ring) woken(b *strings.Builder, d *decoding, code, text func(string) string) {
	gets := triggers.List(&d.t, &d.log)
	d.managers.Name(gets)
	for _, c := range triggers.SumSince(&d.log, gets, r.now()-int64(time.Minute)) {
		fmt.Fprintf(b, "\nwhat triggered %s in the last minute: %s", code(c.Name), plain.Plural64(c.Reconciles, "reconcile", "reconciles"))
		if c.NoQueue && c.Reconciles > 0 {
			b.WriteString(", whose workqueue is not recorded")
		}
		b.WriteByte('\n')
		for _, n := range c.Causes {
			n.Subject, n.Controller, n.Manager = code(n.Subject), code(n.Controller), text(n.Manager)
			fmt.Fprintf(b, "  %s: %d", n.Text(), n.Certain)
			if n.Possible > 0 {
				fmt.Fprintf(b, ", perhaps %d more", n.Possible)
			}
			b.WriteByte('\n')
		}
		if c.Unknown > 0 && !c.NoQueue {
			fmt.Fprintf(b, "  unknown: %d\n", c.Unknown)
		}
		if c.AtLeast {
			b.WriteString("  some calls were left out, so each number is the least\n")
		}
	}
}

// decoding reads a trace that is written to it.
type decoding struct {
	t        trace.Trace
	log      worker.Log
	managers triggers.Managers
	metadata informers.Metadata
	d        *trace.Decoder
	part     []byte // of a line
	offset   int64  // of that line
	err      error  // of the header
}

func (d *decoding) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if d.part = append(d.part, line...); d.part[len(d.part)-1] != '\n' {
			break
		}
		if d.d == nil && d.err == nil {
			d.t.OtherLine = d.log.Line
			d.d, d.err = trace.NewDecoder(&d.t, bytes.TrimSpace(d.part))
		} else if d.err == nil {
			d.d.Line(d.part, d.offset) // a line that can't be read is one of the dump's problems
			d.managers.Read(&d.t)
		}
		d.offset += int64(len(d.part))
		d.part = d.part[:0]
	}
	return len(b), nil
}

// bytes returns a part of the line that was read last.
func (d *decoding) bytes(offset int64, length int) []byte {
	if at := offset - d.offset; at >= 0 && at+int64(length) <= int64(len(d.part)) {
		return d.part[at : at+int64(length)]
	}
	return nil
}

// shown returns what is left of a text that stands in a field of a line.
func shown(taking func(line []byte) []byte, kind, field, text string) string {
	if taking == nil || text == "" {
		return text
	}
	line := jsonscan.AppendString(append(append(append(append([]byte(`{"t":0,"`), kind...), `":{"`...), field...), `":`...), text)
	left := map[string]any{}
	if kept, err := redacted(taking, append(line, "}}"...)); err != nil || json.Unmarshal(kept, &left) != nil {
		return ""
	}
	fields, _ := left[kind].(map[string]any)
	text, _ = fields[field].(string)
	return text
}

// contents says what the informers of the process hold.
func (d *decoding) contents(b *strings.Builder, url, code func(string) string) {
	held := make([]informers.Contents, len(d.t.Resources))
	for i, r := range d.t.Resources {
		held[i] = informers.HeldBy(r, d.metadata)
	}
	all := informers.List(&d.t, held)
	fmt.Fprintf(b, "\ninformers: %d\n", len(all))
	for _, x := range all {
		base := "/apis/" + x.Trace.Group
		if x.Trace.Group == "" {
			base = "/api"
		}
		path := func(namespace string) string {
			if namespace != "" {
				namespace = "/namespaces/" + namespace
			}
			return base + "/" + x.Trace.Version + namespace + "/" + x.Trace.Resource
		}
		fmt.Fprintf(b, "  %s: %s", url(path(x.Trace.Namespace)), plain.Plural64(x.Objects, "object", "objects"))
		if h := x.Heap; h != nil && x.Objects > 0 {
			fmt.Fprintf(b, ", about %s of heap (%s to %s)", plain.Size(h.Bytes), plain.Size(h.Min), plain.Size(h.Max))
		}
		switch {
		case x.Synced > 0 && !x.Before:
			fmt.Fprintf(b, ", synced at %v", elapsed(x.Synced, 0))
		case !x.Before:
			b.WriteString(", not synced")
		}
		b.WriteByte('\n')
		if s := x.Started; s != nil && s.Func != "" {
			by := "started by "
			if s.Approximate {
				by = "started near "
			}
			fmt.Fprintf(b, "    %s%s\n", by, code(s.Site.String()))
		}
		for _, h := range x.Handlers {
			fmt.Fprintf(b, "    calls the handler %s", code(h.Name))
			if h.Func != "" {
				fmt.Fprintf(b, " of %s", code(h.Site.String()))
			}
			b.WriteByte('\n')
		}
		for _, c := range x.Reads[:min(len(x.Reads), 10)] {
			by := "code that is not known"
			if c.Func != "" {
				by = code(c.Site.String())
			}
			fmt.Fprintf(b, "    read by %s: %s, at least %s\n", by, c.Fn, plain.Plural64(c.N, "time", "times"))
		}
		if x.Heap == nil || x.Objects == 0 {
			continue
		}
		h, bytes := held[slices.Index(d.t.Resources, x.Trace)], int64(0)
		if informers.Whole(&d.t, x.Trace) {
			bytes = h.Bytes
		}
		for _, s := range x.Savings(h.Namespaces, h.Labels, bytes, h.Metadata) {
			only := "metadata"
			switch s.Restriction {
			case "namespace":
				only = url(path(s.Name))
			case "label":
				only = url(path(x.Trace.Namespace) + "?labelSelector=" + neturl.QueryEscape(s.Name))
				if plainly, err := neturl.QueryUnescape(only); err == nil {
					only = plainly
				}
			}
			fmt.Fprintf(b, "    only %s: %s, about %s of heap\n", only, plain.Plural64(s.Objects, "object", "objects"), plain.Size(s.Heap))
		}
	}
}
