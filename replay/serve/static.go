// Package serve serves the built page over HTTP on the loopback interface, and a
// read-only proxy to a cluster beside it.
package serve

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
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
	for _, encoding := range strings.Split(header, ",") {
		coding, weight, _ := strings.Cut(encoding, ";")
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

// folder has the files below a folder of this machine.
type folder struct{ root *os.Root }

func (f folder) stat(name string) (fs.FileInfo, error) { return f.root.Stat(name) }

func (f folder) tag(info fs.FileInfo) string {
	return fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size())
}

func (f folder) open(name string, info fs.FileInfo) (io.ReadSeekCloser, fs.FileInfo, error) {
	// Opening a FIFO waits for its writer, so the type of the file is checked first.
	// O_NONBLOCK doesn't wait if a FIFO takes the file's place meanwhile.
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
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

// Embedded serves the page that a program carries. The files are make dist's, without
// the original of each one that lies gzipped beside it: that halves what the program weighs.
// A browser that takes no gzip gets the file unpacked. version is different for each build.
func Embedded(page fs.FS, version string) http.Handler { return static{packed{page, version}} }

// packed has the files of a page. Most of them lie there gzipped only.
type packed struct {
	page    fs.FS
	version string
}

func (p packed) tag(info fs.FileInfo) string { return fmt.Sprintf(`"%s-%x"`, p.version, info.Size()) }

func (p packed) stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(p.page, name)
	if err != nil {
		if gz, missing := fs.Stat(p.page, name+".gz"); missing == nil {
			return gz, nil
		}
	}
	return info, err
}

func (p packed) open(name string, _ fs.FileInfo) (io.ReadSeekCloser, fs.FileInfo, error) {
	b, err := fs.ReadFile(p.page, name)
	if err == nil {
		return p.content(name, b)
	}
	zipped, missing := fs.ReadFile(p.page, name+".gz")
	if missing != nil {
		return nil, nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, nil, err
	}
	if b, err = io.ReadAll(z); err != nil {
		return nil, nil, err
	}
	return p.content(name, b)
}

func (p packed) content(name string, b []byte) (io.ReadSeekCloser, fs.FileInfo, error) {
	info, err := p.stat(name)
	return inMemory{bytes.NewReader(b)}, sized{info, int64(len(b))}, err
}

// inMemory is a file that was read.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// sized describes a file by the length of its content.
type sized struct {
	fs.FileInfo
	size int64
}

func (s sized) Size() int64 { return s.size }

// stampName is where make dist writes the Stamp of a page.
const stampName = "version.json"

// Stamp says which page it is.
type Stamp struct {
	Version string `json:"version"`           // the folder of its files, which is named by a hash of all of them
	Release string `json:"release,omitempty"` // what people call it: a tag, or a commit
	// Program is what serves the page, if that is of another version. Make dist writes none.
	Program string `json:"program,omitempty"`
}

// ReadStamp reads the Stamp of a page.
func ReadStamp(page fs.FS) (s Stamp, err error) {
	f, err := page.Open(stampName)
	if err != nil {
		return s, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 1<<16))
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	return s, err
}

// Stamped serves a page with another Stamp than it has.
func Stamped(page http.Handler, s Stamp) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/"+stampName || r.Method != http.MethodGet {
			page.ServeHTTP(w, r)
			return
		}
		private(w.Header())
		w.Header().Set("Content-Type", contentTypes[".json"])
		json.NewEncoder(w).Encode(s)
	})
}
