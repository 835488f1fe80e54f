// Package serve serves the built page over HTTP on the loopback interface, and a
// read-only proxy to a cluster beside it.
package serve

import (
	"errors"
	"io"
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
func Static(root *os.Root) http.Handler { return static{folder{root}} }

// files are where Static and Embedded find what they serve, by names with slashes.
type files interface {
	stat(name string) (fs.FileInfo, error)
	// open opens a regular file that stat has described.
	open(name string, info fs.FileInfo) (io.ReadSeekCloser, fs.FileInfo, error)
	// tag is the ETag of a file. Two contents at one address have two tags.
	tag(info fs.FileInfo) string
}

type static struct{ files files }

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
	info, err := s.files.stat(name)
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
		if info, err = s.files.stat(name); err != nil {
			return err
		}
	}
	file, info, zipped, err := s.open(name, info, acceptsGzip(r.Header.Get("Accept-Encoding")) && r.Header.Get("Range") == "")
	if err != nil {
		return err
	}
	defer file.Close()
	h := w.Header()
	if path.Base(name) == embedPage {
		h.Set("Content-Security-Policy", strings.TrimSuffix(contentSecurityPolicy, unframed))
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
	h.Set("Content-Type", contentType(name))
	h.Set("Vary", "Accept-Encoding")
	if zipped {
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	}
	// Browsers ask for a file each time, and get 304 while it is the same. So a page
	// never mixes files of two builds.
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", s.files.tag(info))
	http.ServeContent(w, r, name, info.ModTime(), file)
	return nil
}

// open opens a file that stat has described. Make dist leaves a gzipped file beside each one
// that becomes smaller by it: that one is opened if gzip is taken, unless the original has been
// written later. A part of a file is sent from the original.
func (s static) open(name string, info fs.FileInfo, gzip bool) (file io.ReadSeekCloser, its fs.FileInfo, zipped bool, err error) {
	if !info.Mode().IsRegular() {
		return nil, nil, false, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if gzip {
		packed, err := s.files.stat(name + ".gz")
		if err == nil && !packed.ModTime().Before(info.ModTime()) {
			if file, its, err := s.files.open(name+".gz", packed); err == nil {
				return file, its, true, nil
			}
		}
	}
	file, its, err = s.files.open(name, info)
	return file, its, false, err
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
