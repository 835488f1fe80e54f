package trace

import (
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// request is a recorded list or watch.
type request struct {
	requestKey
	resourceVersion, continues  string
	watch, streaming, bookmarks bool
	limited                     bool
	base                        bool // a recorder has made the list of what it knew
}

// style is how a reader asks for its first list.
type style uint8

const (
	unknownStyle style = iota
	pastCache          // everything as it is now, in one piece
	reflects           // as a reflector of client-go does: from some resourceVersion on, or as a stream
)

// style returns how a request asks for a list. A reflector whose resourceVersion is too old asks for pages of the newest list.
func (q *request) style() style {
	switch {
	case q.streaming, !q.watch && q.resourceVersion != "":
		return reflects
	case q.watch, q.limited, q.continues != "", q.base:
		return unknownStyle
	}
	return pastCache
}

// requestKey is what all requests of a reflector have in common.
type requestKey struct {
	group, version, resource, namespace string
	labelSelector, fieldSelector        string
}

// Path is what the path of a request to the API server names.
type Path struct {
	Group, Version, Namespace string
	Resource                  string
	Name                      string // of one object; "" for all
	Subresource               string // with what follows it, such as "proxy/metrics"
	Watch                     bool   // it is the path of a watch, as old versions had them
}

// ParsePath reads the path of a URL. ok is false for what is no resource, such as
// discovery.
func ParsePath(url string) (p Path, ok bool) {
	path, _, _ := strings.Cut(url, "?")
	if i := strings.Index(path, "://"); i >= 0 {
		path = path[i+len("://"):]
		if i = strings.IndexByte(path, '/'); i < 0 {
			return p, false
		}
		path = path[i:]
	}
	// A proxy or an aggregator may have put something before the path.
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for len(parts) > 0 && parts[0] != "api" && parts[0] != "apis" {
		parts = parts[1:]
	}
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		p.Version, parts = Unescape(parts[1]), parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		p.Group, p.Version, parts = Unescape(parts[1]), Unescape(parts[2]), parts[3:]
	default:
		return p, false
	}
	if parts[0] == "watch" && len(parts) > 1 {
		p.Watch, parts = true, parts[1:]
	}
	if parts[0] == "namespaces" && len(parts) >= 3 && parts[2] != "status" && parts[2] != "finalize" {
		p.Namespace, parts = Unescape(parts[1]), parts[2:]
	}
	p.Resource = Unescape(parts[0])
	if len(parts) > 1 {
		p.Name, p.Subresource = Unescape(parts[1]), Unescape(strings.Join(parts[2:], "/"))
	}
	return p, p.Resource != ""
}

// All returns the path of a list or a watch of the resource that p names, in p's namespace or in all. The names may hold
// anything, because they may be a capture's.
func (p Path) All() string {
	var path []byte
	part := func(before, name string) { path = AppendEscaped(append(path, before...), name) }
	if p.Group == "" {
		part("/api/", p.Version)
	} else {
		part("/apis/", p.Group)
		part("/", p.Version)
	}
	if p.Namespace != "" {
		part("/namespaces/", p.Namespace)
	}
	part("/", p.Resource)
	return string(path)
}

// Key returns the key of the object that the path names; "" where the path names no object.
func (p Path) Key() string {
	if p.Name == "" {
		return ""
	}
	return ObjectKey(p.Namespace, p.Name)
}

// ObjectKey returns the key of an object, as client-go's MetaNamespaceKeyFunc makes it. namespace is "" for an object of
// the cluster.
func ObjectKey(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// parseURL reads the path and query of a list or watch. ok is false for all
// else: single objects, subresources, discovery.
func parseURL(url string) (q request, ok bool) {
	p, ok := ParsePath(url)
	if !ok || p.Name != "" || p.Subresource != "" {
		return q, false
	}
	q.requestKey = requestKey{group: p.Group, version: p.Version, resource: p.Resource, namespace: p.Namespace}
	q.watch = p.Watch
	_, query, _ := strings.Cut(url, "?")
	q.parseQuery(query)
	return q, true
}

func (q *request) parseQuery(query string) {
	for query != "" {
		var field string
		field, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(field, "=")
		value = Unescape(value)
		yes := value == "1" || strings.EqualFold(value, "true")
		switch Unescape(name) {
		case "watch":
			q.watch = yes
		case "sendInitialEvents":
			q.streaming = yes
		case "allowWatchBookmarks":
			q.bookmarks = yes
		case "resourceVersion":
			q.resourceVersion = value
		case "limit":
			q.limited = value != "" && value != "0"
		case "continue":
			q.continues = value
		case "labelSelector":
			q.labelSelector = value
		case "fieldSelector":
			q.fieldSelector = value
		}
	}
}

// Unescape undoes percent-encoding. Text that is not well encoded stays as it is.
func Unescape(s string) string {
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			out = append(out, ' ')
		case s[i] == '%' && i+2 < len(s) && jsonscan.HexDigit(s[i+1]) >= 0 && jsonscan.HexDigit(s[i+2]) >= 0:
			out = append(out, byte(jsonscan.HexDigit(s[i+1])<<4|jsonscan.HexDigit(s[i+2])))
			i += 2
		default:
			out = append(out, s[i])
		}
	}
	return string(out)
}

// AppendEscaped appends s as a part of a URL's path, percent-encoded where it must be.
func AppendEscaped(b []byte, s string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '-', c == '.', c == '_', c == '~', c == ':':
			b = append(b, c)
		default:
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return b
}

// Plural guesses a resource's name from its kind, as discovery would tell it
// (meta.UnsafeGuessKindToResource); "objects" where there is none.
func Plural(kind string) string {
	s := strings.ToLower(kind)
	switch {
	case s == "":
		return "objects"
	case s == "endpoints":
		return s
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	case strings.HasSuffix(s, "y") && !strings.HasSuffix(s, "ay") && !strings.HasSuffix(s, "ey") && !strings.HasSuffix(s, "oy"):
		return s[:len(s)-1] + "ies"
	}
	return s + "s"
}

// Singular guesses the kind of a resource from its name: Plural turned round.
func Singular(resource string) string {
	s := resource
	switch {
	case strings.HasSuffix(s, "ies"):
		s = s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "xes"), strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "shes"):
		s = s[:len(s)-2]
	default:
		s = strings.TrimSuffix(s, "s")
	}
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
