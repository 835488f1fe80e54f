package serve

import (
	"crypto/subtle"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
)

// lock lets only a browser read that was given a key.
type lock struct {
	key  string // "" lets every browser read
	path string // the browser sends the key with requests below this path only
	to   string // where the page is, relative to the site: "./", with a fragment or not
}

// keyPath is the address, relative to the page's, at which a browser gets the key.
func (l lock) keyPath() string {
	if l.key == "" {
		return ""
	}
	return "?key=" + url.QueryEscape(l.key)
}

// asked reports whether a request is for the key.
func (l lock) asked(r *http.Request) bool {
	return l.key != "" && r.URL.Path == "/" && r.Method == http.MethodGet && r.URL.Query().Has("key")
}

// hand gives the browser the key in a cookie, if the address has it. What a browser shows
// meanwhile leads to the real page at once, so that the key doesn't stay in the address bar.
// It is no redirect, because the service workers of older pages take a redirect for a failure.
func (l lock) hand(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; img-src data:; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	if !same(r.URL.Query().Get("key"), l.key) {
		http.Error(w, "the key is wrong, or of an informerscope that has ended: open the address that the running one printed", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: l.key, Path: l.path, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	h.Set("Content-Type", "text/html; charset=utf-8")
	to := html.EscapeString(l.to)
	io.WriteString(w, `<!doctype html><meta charset="utf-8"><title>informerscope</title><link rel="icon" href="data:,"><meta http-equiv="refresh" content="0; url=`+to+`"><a href="`+to+`">informerscope</a>`+"\n")
}

// opens reports whether a request comes from a browser that was given the key.
func (l lock) opens(r *http.Request) bool {
	if l.key == "" {
		return true
	}
	c, err := r.Cookie(cookieName(r))
	return err == nil && same(c.Value, l.key)
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
