package serve

import (
	"context"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// openedPrefix is the path of what a program opens in the page, relative to the page.
const openedPrefix = "opened/"

// Opened is a capture that a program opens in the page.
type Opened struct {
	// Name is the last part of its address. OpenedName makes one.
	Name string
	// Live says that it is still being written, in our own format. The page follows it.
	Live bool
	// Open reads it from its beginning. The page may read it several times, also at once.
	Open func() (io.ReadCloser, error)
	// Parts returns the same bytes, unpacked, to be read part by part: the same Parts again as long as the capture is
	// the same. It returns nil where a page reads all of the capture. The field may be nil.
	Parts func() (Parts, error)
}

// Path returns what an address of the page names o by: the field "url" of a link.
func (o Opened) Path() string {
	if o.Live {
		return openedPrefix + "live/" + o.Name // the page follows what has such an address
	}
	return openedPrefix + o.Name
}

// OpenedName makes a Name of a file's: the page takes letters, digits, "-", "_" and ".". The
// Name has a "." and doesn't begin with one.
func OpenedName(file string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z':
			return r
		}
		return '_'
	}, path.Base(strings.ReplaceAll(file, `\`, "/")))
	name = strings.TrimLeft(name, ".")
	if len(name) > 100 {
		name = name[len(name)-100:]
		name = strings.TrimLeft(name, ".")
	}
	if name == "" {
		name = "capture"
	}
	if !strings.Contains(name, ".") {
		name += ".json"
	}
	return name
}

// Opener serves a page, and the captures that a program opens in it.
type Opener struct {
	page     http.Handler
	captures map[string]Opened
	parted   map[string]*parted
	handlers map[string]http.Handler
	reading  chan struct{} // one for each part that is being read
	lock     lock
	held     openPages
}

// NewOpener returns an Opener. Only a browser that has opened KeyPath can read the captures,
// because every user of this machine can reach a port of the loopback interface. That leads
// the browser to the page with a fragment, such as "#lesson=resync", or to another document beside it. When the page was open
// and is closed in all tabs, gone is called.
func NewOpener(page http.Handler, captures []Opened, to string, gone func()) *Opener {
	o := &Opener{
		page: page, captures: map[string]Opened{}, parted: map[string]*parted{}, handlers: map[string]http.Handler{}, reading: make(chan struct{}, runtime.GOMAXPROCS(0)),
		lock: lock{NewKey(), "/" + openedPrefix, "./" + to},
	}
	for _, c := range captures {
		name := strings.TrimPrefix(c.Path(), openedPrefix)
		o.captures[name] = c
		if c.Parts != nil {
			o.parted[name] = &parted{open: c.Parts}
		}
	}
	o.held.onClosed = gone
	return o
}

// Handle has h answer requests of the page for a name, with any method, beside those for captures.
func (o *Opener) Handle(name string, h http.Handler) { o.handlers[name] = h }

// KeyPath returns the address, relative to the page's, that a person opens.
func (o *Opener) KeyPath() string { return o.lock.keyPath() }

// ServeHTTP gives the key to whoever opens KeyPath, serves the page, and answers the requests for captures that have the key.
func (o *Opener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if o.lock.asksForKey(r) {
		// The page's scripts see this cookie, and so know that somebody waits for them.
		http.SetCookie(w, &http.Cookie{Name: cookieName(r) + "-held", Value: "1", Path: "/", SameSite: http.SameSiteStrictMode})
		o.lock.giveKey(w, r)
		return
	}
	name, is := strings.CutPrefix(r.URL.EscapedPath(), "/"+openedPrefix)
	if !is {
		o.page.ServeHTTP(w, r)
		return
	}
	h := w.Header()
	private(h)
	handler := o.handlers[name]
	if r.Method != http.MethodGet && handler == nil {
		h.Set("Allow", http.MethodGet)
		http.Error(w, "this server is read-only: it answers GET", http.StatusMethodNotAllowed)
		return
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		http.Error(w, "requests from other sites are refused", http.StatusForbidden)
		return
	}
	if !o.lock.opens(r) {
		http.Error(w, "only a browser that has the key may read this: open the address that informerscope printed", http.StatusUnauthorized)
		return
	}
	if handler != nil {
		handler.ServeHTTP(w, r)
		return
	}
	if name == heldName {
		o.held.serve(w, r)
		return
	}
	name, digest := strings.CutPrefix(name, digestPrefix)
	bytes := false
	if !digest {
		name, bytes = strings.CutPrefix(name, bytesPrefix)
	}
	c, is := o.captures[name]
	if !is {
		http.Error(w, "informerscope has opened no such capture", http.StatusNotFound)
		return
	}
	if !bytes && !digest {
		send(w, r, c)
	} else if p := o.parted[name]; p != nil {
		o.sendPart(w, r, p, digest)
	} else {
		w.WriteHeader(http.StatusNoContent)
	}
}

// send sends a capture. It is text, whatever it holds, and never a document of the page's origin.
func send(w http.ResponseWriter, r *http.Request, c Opened) {
	in, err := c.Open()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer in.Close()
	defer context.AfterFunc(r.Context(), func() { in.Close() })() // when the browser goes away, no Read waits for ever
	w.Header().Set("Content-Type", "application/octet-stream")
	if stream(w, in) != nil {
		panic(http.ErrAbortHandler) // the browser must see that the capture is not complete
	}
}

// heldName is an answer without an end. The page asks for it as long as it is open.
const heldName = "held"

// leave is how long a page may be away until it counts as closed: on a busy machine a reload takes seconds.
const leave = 10 * time.Second

// openPages counts the pages that are open.
type openPages struct {
	mu       sync.Mutex
	pages    int
	timer    *time.Timer
	onClosed func()
}

func (h *openPages) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.pages++
	if h.timer != nil {
		h.timer.Stop()
	}
	h.mu.Unlock()
	if http.NewResponseController(w).Flush() == nil {
		<-r.Context().Done()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pages--; h.pages == 0 {
		h.timer = time.AfterFunc(leave, h.closed)
	}
}

// closed calls gone unless a page has come back just now.
func (h *openPages) closed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pages == 0 {
		h.onClosed()
	}
}

// PrivateLink writes a page that leads to address, and returns the name of its file.
// Only this user can read the file. If a browser were started with the address
// itself, every user of the machine could see the key in it. remove deletes the
// file.
func PrivateLink(address string) (name string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "informerscope-") // 0700
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	name = filepath.Join(dir, "open.html")
	if err := os.WriteFile(name, []byte(leadTo(address, "")), 0o600); err != nil {
		remove()
		return "", nil, err
	}
	return name, remove, nil
}
