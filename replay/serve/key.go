package serve

import (
	"crypto/subtle"
	"io"
	"net"
	"net/http"
)

// opened is the page that a browser sees while it is given the key. It leads on to
// the real one at once, so that the key does not stay in the address bar. It is no
// redirect, because the service workers of older pages take one for a failure.
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
		http.Error(w, "this key is not, or no longer, that of informerscope serve: open the address that it printed", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: p.c.Key, Path: ProxyPrefix, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	h.Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, opened)
}

// mayRead tells whether a request comes from a browser that was given the key.
func (p *proxy) mayRead(r *http.Request) bool {
	if p.c.Key == "" {
		return true
	}
	c, err := r.Cookie(cookieName(r))
	return err == nil && same(c.Value, p.c.Key)
}

// cookieName has the port in it, because cookies are shared by all ports of a
// host, and so by all that serve a page on this machine.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "80"
	}
	return "informerscope-" + port
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
