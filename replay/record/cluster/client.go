package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/record/follow"
)

// Dialer is an http.Transport's DialContext.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)

// Client sends GET requests to an API server.
type Client struct {
	base  string
	agent string
	http  *http.Client
}

// NewClient returns a Client for the server, or the proxy in front of it, at
// server: an http or https URL. dial connects to it, and is nil for the network.
// agent is the User-Agent.
func NewClient(server string, dial Dialer, agent string) (*Client, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("invalid URL of a server %q; want, for example, http://127.0.0.1:8001", server)
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	t.ResponseHeaderTimeout = time.Minute
	if dial != nil {
		t.Proxy, t.DialContext = nil, dial
	}
	return &Client{base: strings.TrimSuffix(server, "/"), agent: agent, http: &http.Client{
		Transport: t,
		// A redirect may lead to a login page, or anywhere else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// get asks for a path. The answer's body must be closed.
func (c *Client) get(ctx context.Context, path, accept string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("User-Agent", c.agent)
	return c.http.Do(req)
}

// read asks for a path and returns the whole answer.
func (c *Client) read(ctx context.Context, path, accept string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	resp, err := c.get(ctx, path, accept)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(string(b[:min(len(b), 200)]))
	switch {
	case resp.StatusCode == http.StatusTooManyRequests:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return nil, busy{path, time.Duration(min(max(seconds, 1), 30)) * time.Second}
	case resp.StatusCode == http.StatusNotFound:
		return nil, fmt.Errorf("%s: %w: %s", path, errNotThere, text)
	case resp.StatusCode >= 300 && resp.Header.Get("Location") != "":
		return nil, fmt.Errorf("%s: %s, to %q: redirects are not followed, because they lead to a login, most likely", path, resp.Status, resp.Header.Get("Location"))
	case resp.StatusCode >= 300 && !json.Valid(b):
		return nil, fmt.Errorf("%s: %s: %s", path, resp.Status, text)
	}
	return b, nil
}

// errNotThere means that a server has no such path. It is no cause for alarm: a server
// for custom resources has no core group.
var errNotThere = errors.New("404 Not Found")

// busy means that the server asks for patience: the same request may succeed after a while.
type busy struct {
	path  string
	after time.Duration
}

// Error returns the English sentence.
func (b busy) Error() string {
	return fmt.Sprintf("%s: the server is busy (429 Too Many Requests), and is asked again after %v", b.path, b.after)
}

// patience is how many times a server that is busy is asked for the same path.
const patience = 10

// readPatiently does what read does, and asks a server that is busy again. It calls warn before each wait.
func (c *Client) readPatiently(ctx context.Context, path, accept string, warn func(string)) ([]byte, error) {
	for n := 1; ; n++ {
		b, err := c.read(ctx, path, accept)
		var wait busy
		if n == patience || !errors.As(err, &wait) {
			return b, err
		}
		warn(wait.Error())
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait.after):
		}
	}
}

// Version returns the server's version, such as v1.36.3, or "" if it doesn't tell.
func (c *Client) Version(ctx context.Context) string {
	var v struct {
		GitVersion string `json:"gitVersion"`
	}
	b, err := c.read(ctx, "/version", "application/json")
	if err != nil || json.Unmarshal(b, &v) != nil {
		return ""
	}
	return v.GitVersion
}

// Discover finds the resources that can be watched. It calls warn for groups whose
// server doesn't answer, and before it waits for a server that is busy.
func (c *Client) Discover(ctx context.Context, warn func(string)) ([]follow.Resource, error) {
	d := follow.NewDiscovery()
	var failed []error
	for ask := d.Next(); len(ask) > 0; ask = d.Next() {
		for _, path := range ask {
			b, err := c.readPatiently(ctx, path, follow.DiscoveryAccept, warn)
			if err == nil {
				err = d.Answer(path, b)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				failed = append(failed, err)
			}
		}
	}
	found := d.Resources()
	if len(found) == 0 && len(failed) > 0 {
		return nil, failed[0]
	}
	for _, err := range failed {
		if !errors.Is(err, errNotThere) {
			warn(err.Error())
		}
	}
	return found, nil
}
