package follow

import (
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// DiscoveryAccept is the Accept header to discover with: servers since v1.27
// then answer at /api and /apis with all that they have (aggregated discovery).
const DiscoveryAccept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
	"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"

// Limits of what a server may tell, far above what any server has.
const (
	maxGroups    = 2000
	maxResources = 20000
	maxDiscovery = 64 << 20 // bytes of one answer
)

// Resource is something that can be watched.
type Resource struct {
	Group, Version, Resource string // "apps", "v1", "deployments"
	Kind                     string
	Singular                 string
	ShortNames               []string
	Namespaced               bool
}

// Path returns where to list and watch it: everywhere, or in one namespace. A
// resource without namespaces is always listed and watched as a whole.
func (r Resource) Path(namespace string) string {
	if !r.Namespaced {
		namespace = ""
	}
	return trace.Path{Group: r.Group, Version: r.Version, Namespace: namespace, Resource: r.Resource}.All()
}

// Name returns the resource as kubectl names it: "pods", "deployments.apps".
func (r Resource) Name() string {
	if r.Group == "" {
		return r.Resource
	}
	return r.Resource + "." + r.Group
}

// Discovery finds out what can be watched. Its caller asks for the paths that
// Next says, with DiscoveryAccept, and hands in the Answers, in any order. It
// looks only at the version of a group that the server prefers.
type Discovery struct {
	ask    []string
	found  []Resource
	groups int
}

// NewDiscovery returns a Discovery that has not asked for anything yet.
func NewDiscovery() *Discovery { return &Discovery{ask: []string{"/api", "/apis"}} }

// Next returns what is to be asked for and was not returned before. When all of
// it is answered and there is no more, the Discovery is complete.
func (d *Discovery) Next() []string {
	ask := d.ask
	d.ask = nil
	return ask
}

// Resources returns what was found so far, each once, ordered by group and name.
func (d *Discovery) Resources() []Resource {
	sort.SliceStable(d.found, func(i, j int) bool {
		a, b := &d.found[i], &d.found[j]
		return a.Group < b.Group || a.Group == b.Group && a.Resource < b.Resource
	})
	return d.found
}

// Answer takes what came for a path. An error says that it is no discovery. The
// resources of other answers stay.
func (d *Discovery) Answer(path string, body []byte) error {
	switch {
	case len(body) > maxDiscovery:
		return fault.New("named name why", path, fault.Number("longBody max", maxDiscovery))
	case !jsonscan.WithinMaxDepth(body):
		return fault.New("named name why", path, fault.Number("deepAnswer max", jsonscan.MaxDepth))
	}
	a, err := readDiscovered(body)
	if err != nil {
		return fault.New("named name why", path, fault.Named("answerNoJSON begins", begin(body)))
	}
	switch a.kind {
	case "APIVersions":
		if len(a.versions) > 0 { // the core group will never have another version
			return d.retry(path + "/" + a.versions[0])
		}
	case "APIGroupList":
		for _, g := range a.preferred {
			if err := d.retry(path + "/" + g); err != nil {
				return err
			}
		}
	case "APIResourceList":
		group, version, ok := strings.Cut(a.groupVersion, "/")
		if !ok {
			group, version = "", a.groupVersion
		}
		return d.add(group, version, a.resources)
	case "APIGroupDiscoveryList": // an aggregated answer, which has all resources
		for _, g := range a.groups {
			if err := d.add(g.name, g.version, g.resources); err != nil {
				return err
			}
		}
	case "Status":
		return fault.New("named name why", path, a.message)
	default:
		return fault.New("named name why", path, fault.Named("answerNoDiscovery begins", begin(body)))
	}
	return nil
}

// discovered is any of the answers: APIVersions, APIGroupList, APIResourceList
// and APIGroupDiscoveryList.
type discovered struct {
	kind, message, groupVersion string

	versions  []string
	preferred []string // of each group, its preferred groupVersion
	resources []discoveredResource
	groups    []discoveredGroup
}

// discoveredGroup is an API group with the resources of the version that the server prefers: its versions
// come in the order of preference.
type discoveredGroup struct {
	name, version string
	resources     []discoveredResource
	versions      int
}

// discoveredResource is a resource with what can be done with it. Its group and version stand elsewhere.
type discoveredResource struct {
	Resource
	verbs []string
}

func readDiscovered(b []byte) (a discovered, err error) {
	r := jsonscan.NewReader(b)
	for name := range r.Fields("kind", "message", "groupVersion", "versions", "groups", "resources", "items") {
		switch name {
		case "kind":
			r.String(&a.kind)
		case "message":
			r.String(&a.message)
		case "groupVersion":
			r.String(&a.groupVersion)
		case "versions":
			a.versions = readStrings(&r)
		case "groups":
			for range r.Elements() {
				var preferred string
				for range r.Fields("preferredVersion") {
					for range r.Fields("groupVersion") {
						r.String(&preferred)
					}
				}
				a.preferred = append(a.preferred, preferred)
			}
		case "resources":
			a.resources = readResources(&r)
		case "items":
			for range r.Elements() {
				var g discoveredGroup
				if g.read(&r); g.versions > 0 {
					a.groups = append(a.groups, g)
				}
			}
		}
	}
	return a, r.End()
}

func (g *discoveredGroup) read(r *jsonscan.Reader) {
	for name := range r.Fields("metadata", "versions") {
		if name == "metadata" {
			for range r.Fields("name") {
				r.String(&g.name)
			}
			continue
		}
		for i := range r.Elements() {
			g.versions++
			if i > 0 {
				continue
			}
			for name := range r.Fields("version", "resources") {
				if name == "version" {
					r.String(&g.version)
				} else {
					g.resources = readResources(r)
				}
			}
		}
	}
}

// readResources reads the resources of an APIResourceList, or of an aggregated answer.
func readResources(r *jsonscan.Reader) (all []discoveredResource) {
	for range r.Elements() {
		var x discoveredResource
		for name := range r.Fields("name", "resource", "kind", "responseKind", "singularName", "singularResource", "namespaced", "scope", "verbs", "shortNames") {
			switch name {
			case "name", "resource":
				r.String(&x.Resource.Resource)
			case "kind":
				r.String(&x.Kind)
			case "responseKind":
				for range r.Fields("kind") {
					r.String(&x.Kind)
				}
			case "singularName", "singularResource":
				r.String(&x.Singular)
			case "namespaced":
				r.Bool(&x.Namespaced)
			case "scope":
				var scope string
				r.Text(&scope)
				x.Namespaced = scope == "Namespaced"
			case "verbs":
				x.verbs = readStrings(r)
			case "shortNames":
				x.ShortNames = readStrings(r)
			}
		}
		all = append(all, x)
	}
	return all
}

func readStrings(r *jsonscan.Reader) (all []string) {
	for range r.Elements() {
		var s string
		r.String(&s)
		all = append(all, s)
	}
	return all
}

func (d *Discovery) retry(path string) error {
	if d.groups++; d.groups > maxGroups {
		return fault.Number("manyGroups max", maxGroups)
	}
	d.ask = append(d.ask, path)
	return nil
}

// add keeps the resources that can be both listed and watched, and are no subresources.
func (d *Discovery) add(group, version string, all []discoveredResource) error {
	for _, x := range all {
		r := x.Resource
		if !slices.Contains(x.verbs, "list") || !slices.Contains(x.verbs, "watch") || r.Resource == "" || strings.Contains(r.Resource, "/") {
			continue
		}
		if len(d.found) >= maxResources {
			return fault.Number("manyResources max", maxResources)
		}
		r.Group, r.Version = group, version
		d.found = append(d.found, r)
	}
	return nil
}

// Find finds the resource that people name as kubectl lets them: by its plural,
// singular, kind or a short name, with ".GROUP" after it where that is needed.
// If several have that name, the core group's comes first.
func Find(all []Resource, name string) (r Resource, ok bool) {
	name = strings.ToLower(name)
	matches := []func(r Resource) bool{
		func(r Resource) bool { return name == r.Name() || name == r.Resource+"."+r.Version+"."+r.Group },
		func(r Resource) bool { return name == r.Resource },
		func(r Resource) bool { return names(r, name) },
		func(r Resource) bool {
			short, group, _ := strings.Cut(name, ".")
			return group != "" && group == r.Group && names(r, short)
		},
	}
	for _, is := range matches {
		if i := slices.IndexFunc(all, is); i >= 0 {
			return all[i], true
		}
	}
	return r, false
}

func names(r Resource, name string) bool {
	return name == strings.ToLower(r.Kind) || name == r.Singular || slices.Contains(r.ShortNames, name)
}

// State says what a Follower does.
type State uint8

const (
	Waiting  State = iota // to ask for what is next, until Status.Until
	Listing               // for a list, or the initial events of a watch
	Watching              // for watch events
	Ended                 // stopped for good
)

func (s State) String() string { return [...]string{"waiting", "listing", "watching", "ended"}[s] }

// Reason says why a Follower waits.
type Reason uint8

const (
	None        Reason = iota // it does not wait: the next request can be sent at once
	Lost                      // there is nobody to ask (connection refused)
	Broken                    // the connection broke
	TimedOut                  // the answer did not come in time
	Short                     // the server ended a watch at once
	Expired                   // the resourceVersion is too old (410): a list follows
	Busy                      // the server asks for patience (429)
	ServerError               // the server failed (5xx, or such an ERROR event)
	Denied                    // not allowed (401, 403)
	Missing                   // there is no such resource (404)
	Rejected                  // the server does not understand the request
	Unreadable                // we do not understand the answer
)

func (r Reason) String() string {
	return [...]string{"none", "lost", "broken", "timedOut", "short", "expired", "busy", "serverError", "denied", "missing", "rejected", "unreadable"}[r]
}

// asError says the Reason as an error, for where there is no other.
func (r Reason) asError() error {
	switch r {
	case Lost:
		return fault.Plain("nobodyAnswers")
	case Broken:
		return fault.Plain("connectionBroke")
	case TimedOut:
		return fault.Plain("noAnswerInTime")
	case Short:
		return fault.Plain("watchEndedEarly")
	}
	return fault.Plain("errorNoMessage")
}

// textError returns the error whose message is a text of the server or of the connection; nil for none.
func textError(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

// Status tells how things stand with a Follower. Times are in nanoseconds since
// the trace's start.
type Status struct {
	State    State
	Since    int64  // when that State began
	Reason   Reason // while Waiting
	Until    int64  // while Waiting
	Events   int64  // watch events so far, bookmarks and errors too
	Bytes    int64  // of all answers
	Lists    int64  // that were begun; the pages of one count as one
	Relists  int64  // lists after the first whole one
	Received bool   // an object may have come: a page of a list, or a watch event that is no ERROR
	Err      error  // the last error; nil if there was none
	WhyAt    int64  // when that was
}

func (f *Follower) enter(t int64, s State) {
	if f.state.State != s {
		f.state.State, f.state.Since = s, t
	}
}

// wait puts the next request off, for at least so many nanoseconds.
func (f *Follower) wait(t int64, r Reason, why error, atLeast int64) {
	if why == nil {
		why = r.asError()
	}
	delay := int64(slowly)
	if r != Denied && r != Missing && r != Rejected {
		delay = f.backoff.next(t)
	}
	f.enter(t, Waiting)
	f.state.Reason, f.state.Until = r, t+max(delay, atLeast)
	f.state.Err, f.state.WhyAt = why, t
}

// slowly is how long to wait if trying again will hardly help.
const slowly = 30 * second

// backoff is how long to wait after a failure: each time twice as long, as in
// client-go's reflector, with its figures.
type backoff struct {
	random func() float64
	delay  int64
	last   int64
}

const (
	firstDelay = 800_000_000
	maxDelay   = 30 * second
	calm       = 120 * second // after so long without a failure, the back-off begins again
)

func (b *backoff) next(t int64) int64 {
	if t-b.last > calm {
		b.delay = 0
	}
	b.last = t
	b.delay = min(max(2*b.delay, firstDelay), maxDelay)
	if b.random == nil {
		return b.delay
	}
	return b.delay + int64(b.random()*float64(b.delay))
}

func (b *backoff) reset() { b.delay = 0 }

// reasonOf says why to wait after an answer that ended in that way.
func reasonOf(how Ending) Reason {
	switch how {
	case Refused:
		return Lost
	case Timeout:
		return TimedOut
	case EOF:
		return Short
	}
	return Broken
}

// retryAfter reads the header, in nanoseconds. A server may not ask for more
// than a few minutes.
func retryAfter(s string) int64 {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return 0
	}
	return int64(min(n, 300)) * second
}
