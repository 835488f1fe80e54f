package serve

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/record/follow"
)

// ProxyPrefix is the path of the cluster, relative to the page.
const ProxyPrefix = "/k8s/"

// Announced is the answer at k8s/informerscope, as JSON. It tells the page that there
// is a proxy.
type Announced struct {
	Live    bool   `json:"live"`    // true
	Context string `json:"context"` // which cluster it is, for people to read
	Secrets bool   `json:"secrets"` // Secrets can be listed and watched, too
}

// Cluster is an API server that Proxy reads from.
type Cluster struct {
	// Server is where it is, without credentials. It may have a path.
	Server *url.URL
	// Dial connects to Server if it is reached through a socket, such as kubectl's. It
	// is nil for the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Context names it for people to read.
	Context string
	// Secrets lets Secrets through.
	Secrets bool
	// Key is a secret that a browser must have to read the cluster, because every user
	// of this machine can reach a port of the loopback interface. KeyPath gives it to a
	// browser. If Key is "", everyone can read the cluster.
	Key string
}

// NewKey makes a Key that nobody can guess.
func NewKey() string { return rand.Text() }

// KeyPath returns the address, relative to the page's, that gives a browser the key in
// a cookie. The browser sends the cookie with the page's requests to the cluster only.
func (c Cluster) KeyPath() string { return c.lock().keyPath() }

func (c Cluster) lock() lock { return lock{c.Key, ProxyPrefix, "./"} }

// Proxy answers below ProxyPrefix with the cluster's answers, and everywhere else with
// page. It is read-only: lists, watches and discovery go through, and nothing else.
// Cookies and credentials go through in neither direction.
func Proxy(c Cluster, page http.Handler) (http.Handler, error) {
	u := c.Server
	if u == nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("invalid URL of a server %q; want, for example, http://127.0.0.1:8001", fmt.Sprint(u))
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("the cluster's address must be without user, query and fragment; kubectl proxy knows how to log in")
	}
	t := &http.Transport{
		Proxy:               http.ProxyFromEnvironment, // which leaves loopback addresses alone
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConnsPerHost: 8,
		DisableCompression:  true, // compression would hold events back
	}
	if c.Dial != nil {
		t.Proxy, t.DialContext = nil, c.Dial
	}
	return &proxy{c, page, t}, nil
}

type proxy struct {
	c         Cluster
	page      http.Handler
	transport *http.Transport
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.EscapedPath(), ProxyPrefix) {
		if l := p.c.lock(); l.asksForKey(r) {
			l.giveKey(w, r)
			return
		}
		p.page.ServeHTTP(w, r)
		return
	}
	h := w.Header()
	private(h)
	if r.Method != http.MethodGet {
		h.Set("Allow", http.MethodGet)
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed", "this proxy is read-only: it answers GET")
		return
	}
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin", "none": // a browser that doesn't tell, the page, a person
	default:
		refuse(w, http.StatusForbidden, "Forbidden", "requests from other sites are refused")
		return
	}
	if !p.c.lock().opens(r) {
		refuse(w, http.StatusUnauthorized, "Unauthorized", "only a browser that has the key may read the cluster: open the address that informerscope serve printed")
		return
	}
	path := r.URL.EscapedPath()[len(ProxyPrefix)-1:]
	if path == "/informerscope" {
		h.Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(Announced{true, p.c.Context, p.c.Secrets})
		return
	}
	query, err := allowed(path, r.URL.RawQuery, p.c.Secrets)
	if err != nil {
		refuse(w, http.StatusForbidden, "Forbidden", "informerscope serve: "+err.Error())
		return
	}
	p.pass(w, r, path, query)
}

// private lets a browser keep nothing of an answer, and never take it for a document of the page's origin.
func private(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// pass asks the cluster and sends its answer on as it comes.
func (p *proxy) pass(w http.ResponseWriter, r *http.Request, path, query string) {
	u := *p.c.Server
	accept := "application/json"
	if path == "/api" || path == "/apis" {
		accept = follow.DiscoveryAccept // servers that can send all of discovery at once
	}
	if base := strings.Trim(u.Path, "/"); base != "" {
		path = "/" + base + path
	}
	u.Path, u.RawPath, u.RawQuery = path, "", query
	// Nothing but the path and the query of the browser's request goes on.
	ask := (&http.Request{Method: http.MethodGet, URL: &u, Host: u.Host, Header: http.Header{
		"Accept":     {accept},
		"User-Agent": {"informerscope serve"},
	}}).WithContext(r.Context())
	answer, err := p.transport.RoundTrip(ask)
	if err != nil {
		if r.Context().Err() == nil {
			refuse(w, http.StatusBadGateway, "ServiceUnavailable", fmt.Sprintf("the cluster cannot be reached: %v", err))
		}
		return
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 == 3 || answer.StatusCode < 200 {
		refuse(w, http.StatusBadGateway, "ServiceUnavailable", fmt.Sprintf("the cluster's address answers with a redirect or the like (%s): a login page, maybe", answer.Status))
		return
	}
	h := w.Header()
	// Any answer that isn't JSON is sent as text. It comes from elsewhere, and
	// must not become a document of the page's origin.
	h.Set("Content-Type", "text/plain; charset=utf-8")
	if t, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";"); strings.TrimSpace(t) == "application/json" {
		h.Set("Content-Type", "application/json")
	}
	for _, name := range []string{"Retry-After", "Content-Encoding"} {
		if v := answer.Header.Get(name); v != "" {
			h.Set(name, v)
		}
	}
	w.WriteHeader(answer.StatusCode)
	if err := stream(w, answer.Body); err != nil {
		// The browser must see that the answer is not complete.
		panic(http.ErrAbortHandler)
	}
}

// stream copies each piece at once. It holds one buffer, so it doesn't read from the
// cluster while the browser doesn't read.
func stream(w http.ResponseWriter, from io.Reader) error {
	flush := http.NewResponseController(w)
	if err := flush.Flush(); err != nil { // sends the head before any event has come
		return err
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return err
			}
			if err := flush.Flush(); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// refuse answers with a Status, as an API server does.
func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(map[string]any{
		"kind": "Status", "apiVersion": "v1", "metadata": struct{}{},
		"status": "Failure", "message": message, "reason": reason, "code": code,
	})
}

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
		if !isPlainName(part) {
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

// isPlainName reports whether s can be the name of a group, a version, a resource or a
// namespace: small letters, digits, and dots and dashes within.
func isPlainName(s string) bool {
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
