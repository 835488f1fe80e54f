// Package api has what the converters know of Kubernetes' API: the resources that requests
// ask for, and the JSON of objects, which is looked at and changed without decoding it.
package api

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// Resource is what a request asks for.
type Resource struct {
	Group, Version, Resource string
	Kind                     string // of its objects
	Namespace                string // "" for all
	Query                    string // more of the request's query, such as "labelSelector=app%3Dweb"
}

// ResourceOf guesses the resource from a kind of object, as discovery would tell
// it (meta.UnsafeGuessKindToResource).
func ResourceOf(apiVersion, kind string) Resource {
	r := Resource{Version: apiVersion, Resource: trace.Plural(kind), Kind: kind}
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		r.Group, r.Version = group, version
	}
	if r.Version == "" {
		r.Version = "v1"
	}
	return r
}

// APIVersion returns the resource's group and version, as objects have them.
func (r Resource) APIVersion() string {
	if r.Group == "" {
		return r.Version
	}
	return r.Group + "/" + r.Version
}

// URL returns the path of a request for r, with more of a query.
func (r Resource) URL(query string) string {
	path := trace.Path{Group: r.Group, Version: r.Version, Namespace: r.Namespace, Resource: r.Resource}.All()
	query = strings.Trim(query+"&"+r.Query, "&")
	if query != "" {
		path += "?" + query
	}
	return path
}

// WithoutKind returns r without its Kind, which no request contains.
func (r Resource) WithoutKind() Resource {
	r.Kind = ""
	return r
}

// EqualWithoutKind reports whether r is q, apart from their Kinds.
func (r *Resource) EqualWithoutKind(q *Resource) bool {
	return r.Resource == q.Resource && r.Group == q.Group && r.Version == q.Version && r.Namespace == q.Namespace && r.Query == q.Query
}

// Cloned returns r with strings of its own.
func (r Resource) Cloned() Resource {
	for _, s := range []*string{&r.Group, &r.Version, &r.Resource, &r.Kind, &r.Namespace, &r.Query} {
		*s = strings.Clone(*s)
	}
	return r
}

// Number returns a resourceVersion as a revision of etcd, or 0 if it is no number.
func Number(rv string) uint64 {
	n, err := strconv.ParseUint(rv, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Itoa returns n in decimal.
func Itoa(n int64) string { return strconv.FormatInt(n, 10) }

// ParsePath returns what a URL of the API server asks for. ok is false for all that is no
// list and no watch: single objects, subresources, discovery. path is the URL
// without the host; a proxy's prefix stays before it.
func ParsePath(url string) (path string, r Resource, watch, ok bool) {
	path, _, _ = strings.Cut(url, "#")
	p, ok := trace.ParsePath(path)
	if !ok || p.Name != "" || p.Subresource != "" || !isVersion(p.Version) {
		return "", r, false, false
	}
	names, query, _ := strings.Cut(path, "?")
	if _, rest, found := strings.Cut(names, "://"); found {
		path = path[len(names)-len(rest)+strings.IndexByte(rest, '/'):]
	}
	watch = p.Watch
	for field := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(field, "=")
		watch = watch || name == "watch" && (value == "1" || strings.EqualFold(value, "true"))
	}
	return path, Resource{Group: p.Group, Version: p.Version, Resource: p.Resource, Namespace: p.Namespace}, watch, true
}

// isVersion reports whether s is the version of an API, as v1 or v1beta2.
func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && s[1] >= '1' && s[1] <= '9'
}
