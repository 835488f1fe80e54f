package driver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/controller/readyourwrites"
	"github.com/informerscope/informerscope/engine/object"
)

// rywCall is a call of the client, in a goroutine of its own.
type rywCall struct {
	id, verb string
	op       rywOp
	rep      *rywRep // whose cache it reads
	client   *rywRep // whose ConsistencyHandler it asks; nil with noWait and without consistency
	expires  int64
	polls    int64 // when it looks again whether the informer has synced
	began    bool
	read     readyourwrites.Read
	write    readyourwrites.Write
	request  *fakeRequest
	ended    bool
}

// call begins a call.
func (p *rywPart) call(verb string, op *rywOp) {
	c := &rywCall{id: op.ID, verb: verb, op: *op, expires: actor.Never, polls: actor.Never}
	if c.id == "" {
		p.named++
		c.id = fmt.Sprintf("c%d", p.named)
	}
	if op.TimeoutMs > 0 {
		c.expires = p.api.now + op.TimeoutMs*1e6
	}
	c.rep = p.reps[0]
	if op.Rep == "unstructured" {
		c.rep = p.reps[1]
	}
	if !p.plain && !op.NoWait {
		// What an Unstructured writes is filed as typed.
		if c.client = c.rep; verb == "create" || verb == "update" || verb == "patch" {
			c.client = p.reps[0]
		}
	}
	p.calls = append(p.calls, c)
}

// name returns the name of the call.
func (c *rywCall) name() string {
	if c.verb == "list" {
		return c.verb
	}
	return c.verb + " " + c.op.Name
}

// waitsIn returns what the call waits in.
func (c *rywCall) waitsIn() string {
	switch {
	case c.polls != actor.Never:
		return "informerSync"
	case c.request != nil:
		return "api"
	}
	switch c.read.Wait {
	case readyourwrites.OnBarrier:
		return "barrier"
	case readyourwrites.OnInformer:
		return "handlerSync"
	case readyourwrites.OnRV:
		return "rv"
	}
	return "deletes"
}

// next returns when the call goes on by itself.
func (c *rywCall) next() int64 { return min(c.expires, c.polls) }

func (c *rywCall) reads() bool { return c.verb == "get" || c.verb == "list" }

// step lets the call go on, and reports whether it did.
func (c *rywCall) step(p *rywPart) bool {
	if c.ended {
		return false
	}
	if p.api.now >= c.expires {
		c.end(p, "DeadlineExceeded", "context deadline exceeded")
		return true
	}
	switch {
	case c.verb == "deleteAllOf":
		c.finish(p, "ERR DeleteAllOf is not supported by consistentClient, please use List and Delete instead")
	case c.request != nil:
		return false
	case c.reads():
		return c.readStep(p)
	case c.client != nil && !c.register(p):
		return false
	default:
		c.send(p)
	}
	return true
}

// readStep does what step does, for Get and List.
func (c *rywCall) readStep(p *rywPart) bool {
	if c.client != nil {
		if !c.began {
			c.began = true
			c.read = c.client.client.BeginRead(p.key(c.op.Name), c.verb == "list")
		}
		if c.client.client.Step(&c.read) == readyourwrites.OnInformer && c.register(p) {
			c.client.client.Step(&c.read)
		}
		if c.read.Wait != readyourwrites.OnNothing {
			return false
		}
	}
	if !c.informer(p, c.rep) {
		return false
	}
	c.finish(p, p.readCache(c.rep, c.verb, c.op.Name))
	return true
}

// readCache returns what a cached read returns.
func (p *rywPart) readCache(rep *rywRep, verb, name string) string {
	if verb == "get" {
		if r, exists := rep.cache.get(p.key(name)); exists {
			return p.text(r)
		}
		return fmt.Sprintf("ERR NotFound: ConfigMap %q not found", name)
	}
	all := []string{}
	for _, r := range rep.cache.objects() {
		if p.t.Equals(p.t.NamespaceOf(r), rywNamespace) {
			all = append(all, p.text(r))
		}
	}
	slices.Sort(all)
	return "[" + strings.Join(all, " ") + "]"
}

// register follows getConsistencyHandler, and reports whether the handler is there.
func (c *rywCall) register(p *rywPart) bool {
	rep := c.client
	if rep.used = true; rep.client.Registered {
		return true
	}
	if !c.informer(p, rep) {
		return false
	}
	if !rep.added {
		rep.added = true
		rep.cache.addHandler()
		rep.cache.settle(p.api.now)
		rep.deliver(p)
	}
	rep.client.Registered = rep.cache.synced()
	return rep.client.Registered
}

// informer models GetInformer, which makes and starts the informer. It looks every 100 ms
// whether that has synced.
func (c *rywCall) informer(p *rywPart, rep *rywRep) bool {
	if rep.cache == nil {
		rep.cache = newFakeCache(p.t)
		p.api.caches = append(p.api.caches, rep.cache)
		rep.cache.start(p.api.now)
	}
	if c.polls != actor.Never && p.api.now < c.polls {
		return false
	}
	if !rep.cache.x.HasSynced() {
		c.polls = p.api.now + pollEvery
		return false
	}
	c.polls = actor.Never
	return true
}

// methods are the requests that writes send.
var methods = map[string]string{"create": "POST", "update": "PUT", "patch": "PATCH", "delete": "DELETE"}

// send sends a write's request.
func (c *rywCall) send(p *rywPart) {
	o := registry.Object{Key: p.key(c.op.Name), Content: p.content(c.op.Data, c.op.Fin)}
	method := methods[c.verb]
	rv, _ := p.t.RV(c.op.RV).Number()
	switch c.verb {
	case "create":
		o.UID = p.t.Sym(c.op.UID)
	case "update":
		o.UID, o.RV = p.t.Sym(c.op.UID), int64(rv)
	case "delete":
		o.UID = p.t.Sym(c.op.Precond)
	}
	if c.client != nil {
		if c.verb == "delete" {
			uid := c.deleteUID(p)
			if uid == 0 {
				return
			}
			c.write = c.client.client.BeginDelete(o.Key, uid)
		} else {
			c.write = c.client.client.BeginWrite(o.Key)
		}
		c.began = true
	}
	path := "/api/v1/namespaces/ns/configmaps"
	if c.verb != "create" {
		path += "/" + c.op.Name
	}
	c.request = &fakeRequest{method: method, path: path, name: c.op.Name, body: c.body(), carryOut: func(failure string) { c.answer(p, method, o, failure) }}
	p.api.send(c.request)
}

// deleteUID models uidForDelete. It returns 0 if the call has ended.
func (c *rywCall) deleteUID(p *rywPart) object.Sym {
	for _, uid := range []string{c.op.Precond, c.op.UID} {
		if uid != "" {
			return p.t.Sym(uid)
		}
	}
	if r, exists := c.client.cache.get(p.key(c.op.Name)); exists {
		return p.t.Meta(r).UID
	}
	c.finish(p, fmt.Sprintf("ERR NotFound: failed to get ConfigMap ns/%s to determine its uid: ConfigMap %[1]q not found", c.op.Name))
	return 0
}

// body returns the request's body, as far as it orders requests.
func (c *rywCall) body() string {
	meta := ""
	if c.op.UID != "" && c.verb != "delete" {
		meta += `,"uid":"` + c.op.UID + `"`
	}
	if c.op.RV != "" {
		meta += `,"resourceVersion":"` + c.op.RV + `"`
	}
	if c.op.Fin {
		meta += `,"finalizers":["`
	}
	switch {
	case c.verb == "patch":
		return `{"data":{"v":"` + c.op.Data + `"}}`
	case c.verb == "delete" && c.op.Precond != "":
		return `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"` + c.op.Precond
	case c.verb == "delete":
		return `{"kind":"DeleteOptions","apiVersion":"v1"}`
	case c.op.Rep == "unstructured": // its fields are in the order of their names
		return `{"apiVersion":"v1","data":{"v":"` + c.op.Data
	}
	return `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"` + c.op.Name + `","namespace":"ns"` + meta + `},"data":{"v":"` + c.op.Data + `"}}`
}

// answer does the write at the API server, and ends the call.
func (c *rywCall) answer(p *rywPart, method string, o registry.Object, failure string) {
	if failure != "" {
		name, shown := c.op.Name, " "+c.op.Name
		if method == "POST" {
			name, shown = "", ""
		}
		code, reason, text := scripted(failure, "configmaps", name)
		p.api.writeLine("api %s configmaps%s -> %d %s", method, shown, code, reason)
		c.endWrite(p, o, 0, true)
		c.finish(p, "ERR "+reason+": "+text)
		return
	}
	got, answer := p.write(method, o, c.op.Name)
	p.api.writeLine("%s", p.apiLine(method, c.op.Name, got, answer))
	rv := got.RV
	if answer == registry.Removed && c.verb == "delete" { // the answer is a Status
		rv = 0
	}
	if got.Meta != 0 { // the answer's object has no namespace
		o.Key = p.t.Key("/" + c.op.Name)
	}
	c.endWrite(p, o, rv, answer.Failed())
	switch {
	case answer == registry.NotFound:
		c.finish(p, fmt.Sprintf("ERR NotFound: configmaps %q not found", c.op.Name))
	case answer == registry.AlreadyExists:
		c.finish(p, fmt.Sprintf("ERR AlreadyExists: configmaps %q already exists", c.op.Name))
	case answer == registry.Conflict:
		_, reason, text := scripted("conflict", "configmaps", c.op.Name)
		c.finish(p, "ERR "+reason+": "+text)
	case c.verb == "delete":
		c.finish(p, "ok")
	default:
		c.finish(p, p.text(p.row(got)))
	}
}

// endWrite tells the ConsistencyHandler of the answer.
func (c *rywCall) endWrite(p *rywPart, o registry.Object, rv int64, failed bool) {
	if c.began && !c.reads() {
		c.client.client.EndWrite(c.write, o.Key, rv, failed)
	}
}

// end ends the call with its context.
func (c *rywCall) end(p *rywPart, reason, why string) {
	text := why
	switch {
	case c.polls != actor.Never:
		reason, text = "Timeout", "Timeout: failed waiting for "+c.informerType()+" Informer to sync"
		if c.client != nil {
			text = "failed to get informer for GVK /v1, Kind=ConfigMap: " + text
		} else {
			text = strings.TrimPrefix(text, "Timeout: ")
		}
	case c.request != nil:
		p.api.cancel(c.request)
		title := c.request.method[:1] + strings.ToLower(c.request.method[1:])
		text = fmt.Sprintf("%s %q: %s", title, "http://fake"+c.request.path, why)
		c.endWrite(p, registry.Object{}, 0, true)
	case c.read.Wait == readyourwrites.OnRV:
		text = fmt.Sprintf("failed to wait for cache to catch up: failed waiting to observe resource version %d: %s", c.read.RV, why)
	case c.read.Wait == readyourwrites.OnDeletes:
		var uids []string
		for _, uid := range c.read.UIDs {
			uids = append(uids, p.t.Text(uid))
		}
		slices.Sort(uids)
		text = fmt.Sprintf("failed to wait for cache to catch up: failed waiting to observe deletes for uids %v: %s", uids, why)
	}
	c.finish(p, "ERR "+reason+": "+text)
}

func (c *rywCall) informerType() string {
	if c.client != nil {
		return c.client.goType
	}
	return c.rep.goType
}

// finish ends the call.
func (c *rywCall) finish(p *rywPart, result string) {
	p.take()
	c.ended = true
	p.trace = append(p.trace, rywLine{text: "done " + c.id + " " + c.name() + " -> " + result, ended: true, ms: p.api.now / 1e6})
	p.calls = slices.DeleteFunc(p.calls, func(o *rywCall) bool { return o == c })
}
