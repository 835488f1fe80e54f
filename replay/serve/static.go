// Package serve serves the built page over HTTP on the loopback interface, and a
// read-only proxy to a cluster beside it.
package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
)

// contentSecurityPolicy is the page's own policy, and keeps the page out of frames,
// which a policy in a meta element cannot. As a header it also holds the workers
// to it.
const contentSecurityPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types informerscope; frame-ancestors 'none'"

// contentTypes are fixed here because the mime package asks the system's
// tables, which differ from machine to machine, and a browser refuses to
// compile WebAssembly while it streams in under any other type.
var contentTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".gz":    "application/gzip",
	".html":  "text/html; charset=utf-8",
	".ico":   "image/x-icon",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".jsonl": "application/x-ndjson",
	".md":    "text/markdown; charset=utf-8",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".wasm":  "application/wasm",
}

// Static serves the regular files below root. A folder's address shows its
// index.html; there are no listings. Nothing outside of root can be reached,
// neither through ".." nor through a symbolic link. Names that begin with a dot
// are not served, so that a folder's .git and .env stay private.
func Static(root *os.Root) http.Handler { return static{root} }

type static struct{ root *os.Root }

func (s static) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", contentSecurityPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "this server is read-only", http.StatusMethodNotAllowed)
		return
	}
	if err := s.serve(w, r); err != nil {
		h.Del("ETag")
		status := http.StatusInternalServerError
		// A name outside of the root counts as a name that doesn't exist.
		var refused *fs.PathError
		if errors.As(err, &refused) {
			status = http.StatusNotFound
		}
		http.Error(w, http.StatusText(status), status)
	}
}

func (s static) serve(w http.ResponseWriter, r *http.Request) error {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = "."
	}
	if hidden(name) {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	info, err := s.root.Stat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if !strings.HasSuffix(r.URL.Path, "/") {
			// Relative addresses in the page start at the folder. The redirect is
			// relative, too, so it works under any prefix.
			w.Header().Set("Location", path.Base(name)+"/")
			w.WriteHeader(http.StatusMovedPermanently)
			return nil
		}
		name = path.Join(name, "index.html")
		if info, err = s.root.Stat(name); err != nil {
			return err
		}
	}
	// Opening a FIFO waits for its writer, so the type of the file is checked first.
	// O_NONBLOCK doesn't wait if a FIFO takes the file's place meanwhile.
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := s.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	h := w.Header()
	h.Set("Content-Type", contentType(name))
	// Browsers ask for a file each time, and get 304 while it is the same. So a page
	// never mixes files of two builds.
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	http.ServeContent(w, r, name, info.ModTime(), file)
	return nil
}

// hidden tells whether a part of a cleaned path begins with a dot.
func hidden(name string) bool {
	return name != "." && strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

func contentType(name string) string {
	if t, ok := contentTypes[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}
