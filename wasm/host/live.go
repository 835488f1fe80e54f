package host

import (
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/live"
	"github.com/informerscope/informerscope/wasm/link"
)

// cluster is the API server that was found beside the page.
type cluster struct {
	prefix    string
	server    string
	resources []follow.Resource
}

// clusters looks for API servers, and tells how following one goes.
type clusters struct {
	*desk
	found    *cluster   // by the last discover; may be nil
	reported liveReport // of the trace that is followed
	followed *document  // which that is
}

// maxWhole is how much of an answer is kept by getAll, in bytes.
const maxWhole = 64 << 20

// getAll asks for an address of the site, and calls done with the whole answer.
func getAll(b browser.Browser, url, accept string, done func(status int, body []byte, err error)) {
	status := 0
	var body []byte
	b.Get(url, accept, browser.Answer{
		Head: func(s int, _, _ string) { status = s },
		Data: func(p []byte) {
			if len(body)+len(p) <= maxWhole {
				body = append(body, p...)
			}
		},
		End: func(err error) { done(status, body, err) },
	})
}

// discover looks for an API server at the addresses where the proxies that serve
// the page put it.
func (cs *clusters) discover(id int, _ link.Discover) {
	cs.found = nil
	cs.tryPrefixes(id, cs.browser.Clusters(), nil)
}

func (cs *clusters) tryPrefixes(id int, prefixes []string, why *link.Sentence) {
	if len(prefixes) == 0 {
		cs.send(&link.Reply{ID: id, News: &link.Cluster{Reason: why}})
		return
	}
	prefix := prefixes[0]
	getAll(cs.browser, prefix+"/version", "application/json", func(status int, body []byte, err error) {
		var version, message string // an answer that is no version leaves version empty
		r := jsonscan.NewReader(body)
		for range r.Members() {
			r.StringField("gitVersion", &version)
			r.StringField("message", &message)
		}
		if err == nil && status == 200 && version != "" {
			cs.introduce(id, prefix, &link.Cluster{Found: true, Server: version, Proxy: "kubectl proxy"})
			return
		}
		switch {
		case err != nil:
			why = link.Fault(err)
		case message != "":
			why = link.FaultText(message)
		}
		cs.tryPrefixes(id, prefixes[1:], why)
	})
}

// introduce asks which proxy this is: informerscope serve says more about itself
// than kubectl proxy.
func (cs *clusters) introduce(id int, prefix string, c *link.Cluster) {
	getAll(cs.browser, prefix+"/informerscope", "application/json", func(status int, body []byte, err error) {
		var follows bool
		var context string
		r := jsonscan.NewReader(body)
		for range r.Members() {
			r.BoolField("live", &follows)
			r.StringField("context", &context)
		}
		if err == nil && status == 200 && r.End() == nil && follows {
			c.Proxy, c.Context = "informerscope serve", context
		}
		cs.learn(id, prefix, c, follow.NewDiscovery())
	})
}

// learn asks which resources can be watched, until there is nothing left to ask.
func (cs *clusters) learn(id int, prefix string, c *link.Cluster, d *follow.Discovery) {
	pending := 0
	for _, path := range d.Next() {
		pending++
		getAll(cs.browser, prefix+path, follow.DiscoveryAccept, func(status int, body []byte, err error) {
			pending--
			if err == nil && status == 200 {
				err = d.Answer(path, body)
			}
			if c.Reason == nil {
				c.Reason = link.Fault(err) // one group is missing, the others are there
			}
			if pending == 0 {
				cs.learn(id, prefix, c, d)
			}
		})
	}
	if pending > 0 {
		return
	}
	cs.found = &cluster{prefix: prefix, server: c.Server, resources: d.Resources()}
	for _, r := range cs.found.resources {
		c.Resources = append(c.Resources, link.Watchable{Name: r.Name(), Kind: r.Kind, Namespaced: r.Namespaced})
	}
	cs.send(&link.Reply{ID: id, News: c})
}

// report tells the page how following goes, and lets the engine know that nothing
// else has come until now.
func (cs *clusters) report(d *document, atOnce bool) {
	if cs.doc != d {
		return
	}
	l := d.live
	if !l.Stopped {
		l.AdvanceClock(d.trace().Now)
		d.trace().Now = max(d.trace().Now, l.Now())
		cs.work()
		cs.rotate(d)
	}
	if cs.followed != d {
		cs.followed, cs.reported = d, liveReport{}
	}
	now, bytes, steps := cs.browser.Now(), l.Store.Size(), d.run().History().Steps()
	if !atOnce && bytes == cs.reported.bytes && steps == cs.reported.steps && now-cs.reported.sent < live.Quiet {
		return
	}
	if records := d.trace().Records; records != cs.reported.records {
		cs.reported.records = records
		cs.sendOpened(0)
	}
	cs.reported.sent, cs.reported.bytes, cs.reported.steps = now, bytes, steps
	s := l.Status(d.trace())
	s.Steps = steps
	cs.send(&link.Reply{News: s})
}

// liveReport is what the page was last told about a live trace.
type liveReport struct{ sent, bytes, steps, records int64 }

// rotate drops the older part of a live trace if it is too long, and has a limit.
func (cs *clusters) rotate(d *document) {
	l := d.live
	if l.Limit == 0 {
		return
	}
	size := l.Store.Size()
	if l.Next == nil && size > l.Limit/2 {
		if n, err := live.NewSpare(l, d.trace()); err == nil {
			l.Next = n
		}
	}
	if size < l.Limit || l.Next == nil {
		return
	}
	n := l.Next
	reader := newSource(d.input, false)
	const piece = 1 << 20
	for at := int64(0); at < n.Store.Size(); at += piece {
		b, err := n.Store.ReadAt(at, int(min(piece, n.Store.Size()-at)))
		if err != nil || reader.Write(b) != nil {
			l.Next = nil // the next call begins another one
			return
		}
	}
	at := d.run().Now()
	l.Store, l.Next = n.Store, nil
	l.Dropped, l.DroppedTo = l.Dropped+n.Dropped, n.Began
	reader.bytes = d.reader.bytes
	d.reader = reader
	clear(d.runs)
	cs.showRun(0, at)
}
