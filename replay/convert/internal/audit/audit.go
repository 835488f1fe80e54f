// Package audit reads the API server's audit log.
package audit

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Form is the API server's audit log: one audit.k8s.io Event a line. What
// watchers were sent is worked out from the answers to the requests that change
// something; watches have no bodies there.
var Form = capture.Form{
	ID:      "audit",
	Matches: isAudit,
	ByLine:  true, Lost: lostEvents,
	Suffixes: []string{"audit.log", "audit.jsonl"}, Convert: read, Together: readAll,
}

// lostEvents returns 1 for a line that was the answer to a change, as far as can be seen.
func lostEvents(line []byte) int64 {
	i := bytes.Index(line, []byte(`"verb":"`))
	if i < 0 || !bytes.Contains(line, []byte(`"ResponseComplete"`)) {
		return 0
	}
	verb, _, _ := bytes.Cut(line[i+len(`"verb":"`):], []byte{'"'})
	switch string(verb) {
	case "create", "update", "patch", "delete", "deletecollection":
		return 1
	}
	return 0
}

// isAudit reports whether head begins an audit log or a list of audit events, in any
// layout.
func isAudit(head []byte) bool {
	return isAuditLog(head) || isEvent(head)
}

// isEvent reports whether head begins an audit event, or a list of them. A webhook's have no kind, but these fields.
func isEvent(head []byte) bool {
	return strings.HasPrefix(api.FirstField(head, "apiVersion"), "audit.k8s.io/") || api.FirstField(head, "auditID") != "" && api.FirstField(head, "stage") != "" ||
		api.FirstField(head, "kind") == "EventList" && api.FirstField(head, "apiVersion") == "" && bytes.Contains(head, []byte(`"auditID"`))
}

// isAuditLog reports whether head begins an audit log with one event a line. It looks
// at more than the first line, because a log that was rotated or cut may begin within
// an event.
func isAuditLog(head []byte) bool {
	const looked = 3
	for range looked {
		line, rest, _ := bytes.Cut(head, []byte{'\n'})
		if isEvent(line) {
			return true
		}
		head = rest
	}
	return false
}

// event is one stage of one request. Its texts are parts of what it was read from.
type event struct {
	Stage, Level, Verb, RequestURI string
	StageTime, Received            string // the times of the stage and of the request
	ObjectRef                      reference
	ResponseStatus                 status

	ResponseObject, RequestObject []byte
}

type reference struct{ Resource, Namespace, Name, UID, APIGroup, APIVersion, Subresource string }

type status struct {
	Code   int
	Reason string
}

// answer is what is read of a ResponseObject.
type answer struct {
	Kind     string
	Metadata struct {
		Name, Namespace, UID, ResourceVersion, Continue, DeletionTimestamp string

		Grace      int64 // deletionGracePeriodSeconds
		Finalizers []string
	}
}

// decode reads e from b, which must be JSON, and o, if it isn't nil, from the ResponseObject.
func (e *event) decode(b []byte, o *answer) error {
	*e = event{}
	r := jsonscan.NewReader(b)
	for range r.Members() {
		r.TextField("level", &e.Level)
		r.TextField("stage", &e.Stage)
		r.TextField("requestURI", &e.RequestURI)
		r.TextField("verb", &e.Verb)
		if r.Is("objectRef") {
			e.ObjectRef.read(&r)
		}
		if r.Is("responseStatus") {
			for range r.Members() {
				r.TextField("reason", &e.ResponseStatus.Reason)
				r.IntField("code", &e.ResponseStatus.Code)
			}
		}
		if r.Is("requestObject") {
			e.RequestObject = r.Raw()
		}
		if r.Is("responseObject") {
			from := r.Offset()
			if o != nil {
				o.read(&r)
			} else {
				r.Skip()
			}
			e.ResponseObject = b[from:r.Offset():r.Offset()]
		}
		r.TextField("requestReceivedTimestamp", &e.Received)
		r.TextField("stageTimestamp", &e.StageTime)
	}
	return trace.Misread(r.End())
}

func (x *reference) read(r *jsonscan.Reader) {
	for range r.Members() {
		r.TextField("resource", &x.Resource)
		r.TextField("namespace", &x.Namespace)
		r.TextField("name", &x.Name)
		r.TextField("uid", &x.UID)
		r.TextField("apiGroup", &x.APIGroup)
		r.TextField("apiVersion", &x.APIVersion)
		r.TextField("subresource", &x.Subresource)
	}
}

func (o *answer) read(r *jsonscan.Reader) {
	m := &o.Metadata
	for name := range r.Fields("kind", "metadata") {
		if name == "kind" {
			r.Text(&o.Kind)
			continue
		}
		for range r.Members() {
			r.TextField("name", &m.Name)
			r.TextField("namespace", &m.Namespace)
			r.TextField("uid", &m.UID)
			r.TextField("resourceVersion", &m.ResourceVersion)
			r.TextField("continue", &m.Continue)
			r.TextField("deletionTimestamp", &m.DeletionTimestamp)
			r.Int64Field("deletionGracePeriodSeconds", &m.Grace)
			if r.Is("finalizers") {
				m.Finalizers = nil
				for range r.Elements() {
					var s string
					r.Text(&s)
					m.Finalizers = append(m.Finalizers, s)
				}
			}
		}
	}
}

// read reads the log of one server.
func read(c *capture.Conversion) error { return readAll(c, []*capture.Source{c.From}) }

// readAll reads the logs of several servers.
func readAll(c *capture.Conversion, all []*capture.Source) error {
	a := &auditor{c: c}
	var logs, others []*capture.Source
	for _, s := range all {
		if byLine(s) {
			logs = append(logs, s)
		} else {
			others = append(others, s)
		}
	}
	var err error
	switch values := func() error { return a.values() }; {
	case len(logs) == len(all):
		err = c.Interleaved(all, timeOf, a.line)
	case len(all) == 1:
		err = values()
	default:
		for _, s := range append(logs, others...) {
			if err == nil {
				err = c.ReadBy(s, values)
			}
		}
	}
	if err != nil {
		return err
	}
	return a.finish()
}

// byLine reports whether the input is a log with an event on each line.
func byLine(s *capture.Source) bool {
	r, closer, err := s.Open()
	if err != nil {
		return true // reading the input fails, too, and says why
	}
	defer closer.Close()
	head, _ := r.Peek(capture.Glance)
	return isAuditLog(bytes.TrimLeft(head, " \t\r\n"))
}

// values reads audit events of several lines each, such as the items of an indented
// EventList.
func (a *auditor) values() error {
	return a.c.Values((*jsonscan.Reader).Skip, func(b []byte, _, _ int64) error { return a.line(b) })
}

// timeOf returns the time at which a line was logged, or "" if the line has none.
func timeOf(line []byte) string {
	const field = `"stageTimestamp":"`
	i := bytes.LastIndex(line, []byte(field))
	if i < 0 {
		return ""
	}
	at, _, _ := strings.Cut(string(line[i+len(field):min(len(line), i+len(field)+40)]), `"`)
	return strings.TrimSuffix(at, "Z")
}

// line reads a line: an Event, or an EventList as webhooks are sent them.
func (a *auditor) line(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) == 0 {
		return nil
	}
	complete := bytes.Contains(b, []byte(`ResponseComplete"`))
	if complete {
		if a.o = (answer{}); a.e.decode(b, &a.o) == nil && a.e.Stage != "" { // it is no list
			return a.apply(true)
		}
	}
	if !jsonscan.WithinMaxDepth(b) {
		return api.ErrTooDeep
	}
	if !complete {
		a.counts.unchanged++
		if b[0] != '{' || b[len(b)-1] != '}' {
			return api.ErrNotJSON
		}
		return nil
	}
	const looked = 100 // its kind stands first, or last
	isList := bytes.Contains(b[:min(len(b), looked)], []byte(`EventList"`)) || bytes.Contains(b[max(len(b)-looked, 0):], []byte(`EventList"`))
	if !isList || api.FirstField(b, "kind") != "EventList" {
		return a.event(b)
	}
	var bad error
	items := api.Member(b, "items")
	jsonscan.Elements(items, func(_, i, j int) bool {
		err := a.event(items[i:j])
		if err != nil && bad == nil || errors.As(err, new(capture.FatalError)) {
			bad = err
		}
		return !errors.As(err, new(capture.FatalError))
	})
	return bad
}

// event reads one audit Event.
func (a *auditor) event(b []byte) error {
	a.o = answer{}
	if err := a.e.decode(b, nil); err != nil {
		return api.Undecoded(err)
	}
	return a.apply(false)
}

// apply reads what e says. known tells that o has been read, too.
func (a *auditor) apply(known bool) error {
	e := &a.e
	if e.Stage != "ResponseComplete" {
		a.counts.unchanged++
		return nil
	}
	if a.c.From.Layout.Wraps != nil && e.Level == googleLevel {
		if err := a.c.Remark(remarks.GoogleAudit, 0, ""); err != nil {
			return capture.Fatal(err)
		}
	}
	at, err := time.Parse(time.RFC3339Nano, e.StageTime)
	if err != nil {
		if at, err = time.Parse(time.RFC3339Nano, e.Received); err != nil {
			return fault.Plain("auditNoTime")
		}
	}
	a.now = at.UnixNano()
	a.counts.answers++
	a.counts.aboveMetadata = a.counts.aboveMetadata || e.Level != "Metadata"
	if e.ResponseStatus.Code == 404 && e.ObjectRef.Name != "" && e.ObjectRef.Subresource == "" && e.ResponseStatus.Reason == "NotFound" && strings.Contains("delete update patch", e.Verb) {
		return a.notFound()
	}
	if e.ResponseStatus.Code >= 400 || e.ObjectRef.Resource == "" || strings.Contains(e.RequestURI, "dryRun=") {
		a.counts.unchanged++
		return nil
	}
	a.ofCore()
	var read func() error
	switch e.Verb {
	case "create", "update", "patch", "delete":
		read = a.changed
	case "deletecollection":
		read = a.deletedCollection
	case "list":
		read = a.listed
	default:
		a.counts.unchanged++
		return nil
	}
	if !known && len(e.ResponseObject) > 0 {
		a.head = trace.Head(a.head[:0], e.ResponseObject)
		r := jsonscan.NewReader(a.head)
		a.o.read(&r)
		if err := r.End(); err != nil {
			return trace.Misread(err)
		}
	}
	return read()
}

// resource returns what the event's request was about.
func (a *auditor) resource() *tracked {
	ref := &a.e.ObjectRef
	key := api.Resource{Group: ref.APIGroup, Version: ref.APIVersion, Resource: ref.Resource}
	r := a.resources[key]
	if r == nil {
		if a.resources == nil {
			a.resources = map[api.Resource]*tracked{}
		}
		key = key.Cloned()
		r = &tracked{Resource: key}
		a.resources[key] = r
		a.order = append(a.order, r)
	}
	return r
}

// answersFor reports whether an answer of that kind is an object of r. A subresource may
// answer with another kind.
func (a *auditor) answersFor(r *tracked, kind string) bool {
	return kind == r.Kind && kind != "" || trace.Plural(kind) == r.Resource.Resource ||
		a.e.ObjectRef.Subresource == "" && kind != "" && kind != "Status" && kind != "Table" && kind != "PartialObjectMetadata"
}

// changed reads the answer to a request for one object.
func (a *auditor) changed() error {
	e, r := &a.e, a.resource()
	o, ref := &a.o, &e.ObjectRef
	request := e.RequestObject
	if e.Verb == "delete" && isDryRun(request) {
		a.counts.unchanged++
		return nil
	}
	x := &audited{typ: "MODIFIED", time: a.now}
	switch {
	case e.Verb == "delete":
		x.typ = "DELETED"
	case ref.Subresource == "" && (e.Verb == "create" || e.ResponseStatus.Code == 201):
		x.typ = "ADDED"
	}
	x.namespace, x.name, x.uid = ref.Namespace, ref.Name, ref.UID
	if r.Resource.Resource == "namespaces" && r.Group == "" {
		x.namespace = ""
	}
	switch {
	case o.Kind == "":
		return a.lower(r, x, request)
	case o.Kind == "Status":
		if x.typ != "DELETED" || ref.Subresource != "" {
			a.counts.unseen++ // a binding, an eviction
			return nil
		}
		x.evidence = lastState
		return a.insert(r, x)
	case ref.Subresource == "scale" && o.Kind == "Scale":
		x.evidence = scaled
	case o.Kind == "PartialObjectMetadata":
		x.evidence = metadataOnly
	case !a.answersFor(r, o.Kind):
		a.counts.unseen++ // a token, a review
		return nil
	default:
		r.noteKind(o.Kind)
	}
	m := &o.Metadata
	if m.ResourceVersion == "" && m.Name != "" && x.typ == "DELETED" && ref.Subresource == "" {
		// Another request was first to delete it.
		x.namespace, x.name, x.uid, x.raw = m.Namespace, m.Name, m.UID, e.ResponseObject
		x.evidence = lastState
		return a.insert(r, x)
	}
	if m.Name == "" || m.ResourceVersion == "" {
		a.counts.unchanged++ // it isn't stored, as a review
		return nil
	}
	x.namespace, x.name, x.uid, x.rv = m.Namespace, m.Name, m.UID, api.Number(m.ResourceVersion)
	x.raw = e.ResponseObject
	switch {
	case x.typ == "ADDED":
	case m.DeletionTimestamp == "" && x.typ == "DELETED", a.isGone(r, o, x.raw):
		// An update that takes the last finalizer away is answered with what it
		// sent, of the version before.
		if x.typ != "DELETED" {
			x.typ, x.rv = "DELETED", 0
		}
	default:
		x.typ = "MODIFIED" // it has been marked for deletion
	}
	return a.insert(r, x)
}

// lower reads a change that was logged at level Request or Metadata.
func (a *auditor) lower(r *tracked, x *audited, request []byte) error {
	if x.name == "" && len(request) > 0 {
		x.name = api.FirstField(api.Member(request, "metadata"), "name")
	}
	if x.name == "" {
		a.counts.nameless++
		return nil
	}
	x.evidence = worse
	switch entire := x.typ != "DELETED" && a.e.Verb != "patch" && a.e.ObjectRef.Subresource != "scale"; {
	case len(request) == 0:
		a.counts.metadata++
	case entire && a.answersFor(r, api.FirstField(request, "kind")):
		a.counts.request++
		r.noteKind(api.FirstField(request, "kind"))
		x.raw = request
	default:
		a.counts.request++
	}
	return a.insert(r, x)
}

// listed reads the answer to a list. The events of a resource begin at its first
// whole list.
func (a *auditor) listed() error {
	e := &a.e
	o := &a.o
	a.counts.unchanged++
	if o.Metadata.ResourceVersion == "" || o.Metadata.Continue != "" || e.ObjectRef.Namespace != "" || e.ObjectRef.Name != "" ||
		!strings.HasSuffix(o.Kind, "List") || o.Kind == "PartialObjectMetadataList" ||
		strings.Contains(e.RequestURI, "Selector=") || strings.Contains(e.RequestURI, "continue=") || strings.Contains(e.RequestURI, "resourceVersionMatch=Exact") {
		return nil
	}
	r := a.resource()
	if r.begun || r.listed {
		return nil
	}
	if api.Member(e.ResponseObject, "items") == nil {
		return fault.Plain("noItems")
	}
	r.noteKind(strings.TrimSuffix(o.Kind, "List"))
	return a.insert(r, &audited{evidence: listing, time: a.now, rv: api.Number(o.Metadata.ResourceVersion), raw: e.ResponseObject})
}

// Payload is an audit event that somebody has wrapped, or written in another form.
var Payload = capture.Payload{
	Extract: func(b []byte) []byte {
		if isEvent(b) {
			return b
		}
		for _, name := range []string{"protoPayload", "protopayload_auditlog"} { // the latter is BigQuery's
			if payload := api.Member(b, name); payload != nil {
				return ofGoogle(b, payload)
			}
		}
		if api.FirstField(b, "AuditId") != "" && api.FirstField(b, "Stage") != "" {
			return ofAzure(b)
		}
		return nil
	},
}

// eventFields are the fields of an audit event that are read, with their names in Azure's tables AKSAudit and
// AKSAuditAdmin.
var eventFields = []struct{ name, azure string }{
	{"level", "Level"}, {"auditID", "AuditId"}, {"stage", "Stage"}, {"requestURI", "RequestUri"}, {"verb", "Verb"},
	{"objectRef", "ObjectRef"}, {"responseStatus", "ResponseStatus"}, {"requestObject", "RequestObject"}, {"responseObject", "ResponseObject"},
	{"requestReceivedTimestamp", "RequestReceivedTime"}, {"stageTimestamp", "StageReceivedTime"},
}

// ofAzure makes an audit event of a row of these tables. Objects may be text there.
func ofAzure(b []byte) []byte {
	out := []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1"`)
	for _, f := range eventFields {
		v := api.Member(b, f.azure)
		if v == nil || string(v) == "null" || string(v) == `""` {
			continue
		}
		if s, ok := jsonscan.Unquote(v); ok && strings.HasPrefix(s, "{") && jsonscan.Valid([]byte(s)) {
			v = []byte(s)
		}
		out = append(jsonscan.AppendString(append(out, ','), f.name), ':')
		out = append(out, v...)
	}
	return append(out, '}')
}

// googleLevel marks the events that are made of Google's.
const googleLevel = "Google"

// codes are the codes of HTTP for gRPC's codes, which Google writes.
var codes = map[string]string{"5": "404", "6": "409", "7": "403", "9": "409", "10": "409", "16": "401", "3": "400", "4": "504", "8": "429", "13": "500", "14": "503"}

// ofGoogle makes an audit event of an entry of Cloud Audit Logs about a cluster; nil where it is none of those.
// Its methodName is as io.k8s.apps.v1.deployments.patch, and its resourceName as apps/v1/namespaces/x/deployments/web.
func ofGoogle(entry, payload []byte) []byte {
	method, ok := strings.CutPrefix(api.FirstField(payload, "methodName"), "io.k8s.")
	parts := strings.Split(api.FirstField(payload, "resourceName"), "/")
	if i := strings.LastIndexByte(method, '.'); !ok || i < 0 || len(parts) < 3 {
		return nil
	} else {
		method = method[i+1:]
	}
	group, version, rest := parts[0], parts[1], parts[2:]
	if group == "core" {
		group = ""
	}
	uri := "/apis/" + group + "/" + version
	if group == "" {
		uri = "/api/" + version
	}
	uri += "/" + strings.Join(rest, "/")
	var ref reference
	if rest[0] == "namespaces" && len(rest) > 2 {
		ref.Namespace, rest = rest[1], rest[2:]
	}
	ref.Resource = rest[0]
	if len(rest) > 1 {
		ref.Name = rest[1]
	}
	if len(rest) > 2 {
		ref.Subresource = strings.Join(rest[2:], "/")
	}
	resource := api.Resource{Group: group, Version: version, Resource: ref.Resource}
	code := string(api.Member(api.Member(payload, "status"), "code"))
	switch {
	case code == "" || code == "0":
		code = "200"
		if method == "create" {
			code = "201"
		}
	case codes[code] != "":
		code = codes[code]
	default:
		code = "500"
	}
	out := []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"` + googleLevel + `","stage":"ResponseComplete"`)
	text := func(name, value string) {
		if value != "" {
			out = append(jsonscan.AppendString(append(out, ','), name), ':')
			out = jsonscan.AppendString(out, value)
		}
	}
	text("auditID", api.FirstField(entry, "insertId"))
	text("requestURI", uri)
	text("verb", method)
	text("stageTimestamp", api.FirstField(entry, "timestamp"))
	out = append(out, `,"objectRef":{"apiVersion":`...)
	out = jsonscan.AppendString(out, version)
	text("apiGroup", group)
	text("resource", ref.Resource)
	text("namespace", ref.Namespace)
	text("name", ref.Name)
	text("subresource", ref.Subresource)
	out = append(append(out, `},"responseStatus":{"code":`...), code...)
	if code == "404" {
		text("reason", "NotFound")
	}
	out = append(out, '}')
	for _, f := range []struct {
		name string
		raw  []byte
	}{{"requestObject", typed(sent(payload, "request"), resource)}, {"responseObject", typed(sent(payload, "response"), resource)}} {
		if len(f.raw) > 2 {
			out = append(jsonscan.AppendString(append(out, ','), f.name), ':')
			out = append(out, f.raw...)
		}
	}
	return append(out, '}')
}

// sent returns what was sent with a request or an answer. BigQuery has it as text.
func sent(payload []byte, name string) []byte {
	if raw := api.Member(payload, name); raw != nil {
		return raw
	}
	if text := []byte(api.FirstField(payload, name+"Json")); jsonscan.Valid(text) {
		return text
	}
	return nil
}

// typed returns an object without the field in which Google writes its type, as core.k8s.io/v1.Pod. An object of r gets
// its kind from there, if it says none itself.
func typed(raw []byte, r api.Resource) []byte {
	full := api.FirstField(raw, "@type")
	if full == "" {
		return raw
	}
	out := []byte{'{'}
	jsonscan.Fields(raw, func(key []byte, from, to int) bool {
		if string(key) != `"@type"` {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(append(out, key...), ':'), raw[from:to]...)
		}
		return true
	})
	out = append(out, '}')
	if r.Kind = full[strings.LastIndexByte(full, '.')+1:]; trace.Plural(r.Kind) == r.Resource {
		out = api.AddKind(out, r)
	}
	return out
}
