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
	"strconv"
	"strings"
)

// contentSecurityPolicy is the page's own policy, and keeps the page out of frames,
// which a policy in a meta element cannot. As a header it also holds the workers
// to it.
const contentSecurityPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types informerscope" + unframed

const unframed = "; frame-ancestors 'none'"

// embedPage is the page that others may frame. Nothing else may be framed.
const embedPage = "embed.html"

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
	file, info, err := s.open(name, info)
	if err != nil {
		return err
	}
	defer func() { file.Close() }()
	h := w.Header()
	if path.Base(name) == embedPage {
		h.Set("Content-Security-Policy", strings.TrimSuffix(contentSecurityPolicy, unframed))
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
	h.Set("Content-Type", contentType(name))
	h.Set("Vary", "Accept-Encoding")
	// make dist leaves a gzipped file beside each one that becomes smaller by it. A
	// part of a file is sent from the original.
	if acceptsGzip(r.Header.Get("Accept-Encoding")) && r.Header.Get("Range") == "" {
		if packed, its, err := s.gzipped(name, info); err == nil {
			file.Close()
			file, info = packed, its
			h.Set("Content-Encoding", "gzip")
			h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
		}
	}
	// Browsers ask for a file each time, and get 304 while it is the same. So a page
	// never mixes files of two builds.
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	http.ServeContent(w, r, name, info.ModTime(), file)
	return nil
}

// open opens a regular file that Stat has described.
func (s static) open(name string, info fs.FileInfo) (*os.File, fs.FileInfo, error) {
	// Opening a FIFO waits for its writer, so the type of the file is checked first.
	// O_NONBLOCK doesn't wait if a FIFO takes the file's place meanwhile.
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := s.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err = file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// gzipped opens the gzipped file beside one. It fails where there is none, and
// where the original has been written later.
func (s static) gzipped(name string, original fs.FileInfo) (*os.File, fs.FileInfo, error) {
	name += ".gz"
	info, err := s.root.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if info.ModTime().Before(original.ModTime()) {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return s.open(name, info)
}

// acceptsGzip reports whether a header Accept-Encoding names gzip, and doesn't
// refuse it.
func acceptsGzip(header string) bool {
	for _, one := range strings.Split(header, ",") {
		coding, weight, _ := strings.Cut(one, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			q, isWeight := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(weight), " ", ""), "q=")
			return !isWeight || strings.Trim(q, "0.") != ""
		}
	}
	return false
}

// hidden reports whether a part of a cleaned path begins with a dot.
func hidden(name string) bool {
	return name != "." && strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

func contentType(name string) string {
	if t, ok := contentTypes[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}
