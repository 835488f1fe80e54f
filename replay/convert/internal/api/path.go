package api

import (
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// ParsePath returns what a URL of the API server asks for. ok is false for all that is no
// list and no watch: single objects, subresources, discovery. path is the URL
// without the host; a proxy's prefix stays before it.
func ParsePath(url string) (path string, r Resource, watch, ok bool) {
	path = url
	if _, rest, found := strings.Cut(url, "://"); found {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return "", r, false, false
		}
		path = rest[i:]
	}
	path, _, _ = strings.Cut(path, "#")
	names, query, _ := strings.Cut(path, "?")
	parts := strings.Split(strings.Trim(names, "/"), "/")
	for len(parts) > 0 && parts[0] != "api" && parts[0] != "apis" {
		parts = parts[1:]
	}
	switch {
	case len(parts) >= 3 && parts[0] == "api" && isVersion(parts[1]):
		r.Version, parts = trace.Unescape(parts[1]), parts[2:]
	case len(parts) >= 4 && parts[0] == "apis" && isVersion(parts[2]):
		r.Group, r.Version, parts = trace.Unescape(parts[1]), trace.Unescape(parts[2]), parts[3:]
	default:
		return "", r, false, false
	}
	if parts[0] == "watch" && len(parts) > 1 { // how watches were asked for long ago
		watch, parts = true, parts[1:]
	}
	if parts[0] == "namespaces" && len(parts) >= 3 {
		r.Namespace, parts = trace.Unescape(parts[1]), parts[2:]
	}
	if len(parts) != 1 || parts[0] == "" {
		return "", r, false, false
	}
	r.Resource = trace.Unescape(parts[0])
	for field := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(field, "=")
		watch = watch || name == "watch" && (value == "1" || strings.EqualFold(value, "true"))
	}
	return path, r, watch, true
}

// isVersion reports whether s is the version of an API, as v1 or v1beta2.
func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && s[1] >= '1' && s[1] <= '9'
}
