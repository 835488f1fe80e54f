package doctor

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
)

// Hop is a way to an API server.
type Hop interface {
	Name() string // for people: kubectl proxy

	// Get sends a GET request and returns once the answer's head has come. The body ends, with an
	// error, when ctx does.
	Get(ctx context.Context, path string) (Answer, error)
}

// Answer is what an API server answers.
type Answer struct {
	Code int    // HTTP status
	Type string // the media type, "" where the hop doesn't tell
	To   string // where a redirect leads
	Wait string // Retry-After: after how many seconds to ask again
	Body io.ReadCloser
}

// HTTP is a hop to a server, or to a proxy in front of it.
type HTTP struct {
	Called string // for people
	Base   string // URL
	Agent  string // User-Agent
	As     string // the user to impersonate, "" for nobody
	Client http.RoundTripper
}

func (h *HTTP) Name() string { return h.Called }

func (h *HTTP) Get(ctx context.Context, path string) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(h.Base, "/")+path, nil)
	if err != nil {
		return Answer{}, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", h.Agent)
	if h.As != "" {
		req.Header.Set("Impersonate-User", h.As)
	}
	// A redirect isn't followed: it may lead to a login page, or anywhere else.
	resp, err := h.Client.RoundTrip(req)
	if err != nil {
		return Answer{}, err
	}
	media, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	return Answer{Code: resp.StatusCode, Type: strings.TrimSpace(media), To: resp.Header.Get("Location"), Wait: resp.Header.Get("Retry-After"), Body: resp.Body}, nil
}

// errTooMuch ends an answer at which the bound on an examination's bytes is reached.
var errTooMuch = errors.New("more was answered than is read in one examination")

// countingBody reads an answer and counts it.
type countingBody struct {
	io.ReadCloser
	of   *meter
	left int64 // of what this answer may take
}

func (c *countingBody) Read(b []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooMuch
	}
	n, err := c.ReadCloser.Read(b[:min(int64(len(b)), c.left)])
	c.left -= int64(n)
	c.of.bytes.Add(int64(n))
	return n, err
}
