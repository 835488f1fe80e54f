package serve

import (
	"crypto/subtle"
	"io"
	"net"
	"net/http"
)

// opened is the page that a browser shows while it gets the key. It leads to the real
// page at once, so that the key doesn't stay in the address bar. It is no redirect,
// because the service workers of older pages take a redirect for a failure.
const opened = `<!doctype html><meta charset="utf-8"><title>informerscope</title><meta http-equiv="refresh" content="0; url=./"><a href="./">informerscope</a>
`

// hand gives the browser the key in a cookie, if the address has it.
func (p *proxy) hand(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	if !same(r.URL.Query().Get("key"), p.c.Key) {
		http.Error(w, "the key is wrong, or of an informerscope serve that has ended: open the address that the running one printed", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: p.c.Key, Path: ProxyPrefix, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	h.Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, opened)
}

// mayRead reports whether a request comes from a browser that was given the key.
func (p *proxy) mayRead(r *http.Request) bool {
	if p.c.Key == "" {
		return true
	}
	c, err := r.Cookie(cookieName(r))
	return err == nil && same(c.Value, p.c.Key)
}

// cookieName returns a name with the port in it, because all ports of a host share
// their cookies.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "80"
	}
	return "informerscope-" + port
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
