package serve

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// parameters are the query parameters of lists and watches.
var parameters = map[string]bool{
	"allowWatchBookmarks":  true,
	"continue":             true,
	"fieldSelector":        true,
	"labelSelector":        true,
	"limit":                true,
	"resourceVersion":      true,
	"resourceVersionMatch": true,
	"sendInitialEvents":    true,
	"timeoutSeconds":       true,
	"watch":                true,
}

// allowed reports whether path, as it was sent, and query ask for a list, a watch or
// discovery, and not for Secrets unless secrets is set. It returns the query to send
// on. Each address can be written in one way only, without escapes, capitals, dots or
// empty parts, so that the cluster can't read it in another way.
func allowed(path, query string, secrets bool) (string, error) {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for _, part := range parts {
		if !plain(part) {
			return "", fmt.Errorf("%q is not the plain path of a list, a watch or discovery", path)
		}
	}
	resource, err := resourceOf(parts)
	if err != nil {
		return "", err
	}
	if resource == "secrets" && !secrets {
		return "", errors.New("no Secrets go through, unless it is started with --secrets")
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", errors.New("the query cannot be read")
	}
	for name, v := range values {
		if !parameters[name] || len(v) > 1 {
			return "", fmt.Errorf("the parameter %q is none of a list or a watch, or is there twice", name)
		}
	}
	return values.Encode(), nil
}

// plain reports whether s can be the name of a group, a version, a resource or a
// namespace: small letters, digits, and dots and dashes within.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case (c == '-' || c == '.') && i > 0 && i < len(s)-1:
		default:
			return false
		}
	}
	return s != "" && len(s) <= 253 && !strings.Contains(s, "..")
}

// resourceOf returns the resource that a path lists or watches. It is "" for discovery.
func resourceOf(parts []string) (string, error) {
	var rest []string // after the version
	switch {
	case parts[0] == "version" && len(parts) == 1:
		return "", nil
	case parts[0] == "api" && len(parts) <= 2, parts[0] == "apis" && len(parts) <= 3:
		return "", nil
	case parts[0] == "api":
		rest = parts[2:]
	case parts[0] == "apis":
		rest = parts[3:]
	default:
		return "", fmt.Errorf("/%s is neither a list, a watch nor discovery", strings.Join(parts, "/"))
	}
	switch {
	case len(rest) == 1:
		return rest[0], nil
	case len(rest) == 3 && rest[0] == "namespaces" && rest[2] != "status" && rest[2] != "finalize":
		return rest[2], nil
	}
	return "", errors.New("only lists and watches go through: no single objects, no logs, no subresources")
}
