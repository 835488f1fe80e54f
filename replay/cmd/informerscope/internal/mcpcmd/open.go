package mcpcmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/redactcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/reportcmd"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/mcp"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/redact"
)

// capture is a file that was opened, as the tools may see it.
type capture struct {
	name     string // below its folder
	size     int64  // of the file, with which the page knows it
	modified time.Time
	trace    []byte             // compressed
	lacks    error              // the part of the file that could not be read
	read     *reportcmd.Reading // nil until it is asked for
}

// The bounds of what is held: of one capture's trace, compressed, and of all.
const (
	mostTrace = 128 << 20
	mostHeld  = 256 << 20
	mostFiles = 500 // that are listed
)

// locate looks for a file below the folders. An absolute name must be below one of them.
func (s *server) locate(name string) (*os.Root, string, fs.FileInfo, error) {
	outside := error(nil)
	for i, root := range s.roots {
		rel := name
		if filepath.IsAbs(name) {
			top, err := filepath.Abs(s.folders[i])
			if err != nil {
				return nil, "", nil, err
			}
			if rel, err = filepath.Rel(top, name); err != nil {
				continue
			}
		}
		if rel = filepath.Clean(rel); !filepath.IsLocal(rel) {
			outside = errors.New("is outside of the folders that this server may open")
			continue
		}
		info, err := root.Stat(rel)
		if err == nil {
			return root, rel, info, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			outside = errors.New("can't be opened below the folders that this server may open: it leads out of them, or its rights forbid it")
		}
	}
	if outside == nil {
		outside = errors.New("is not a file below the folders that this server may open")
	}
	return nil, "", nil, s.noFile(name, outside.Error(), ".")
}

// noFile returns the error about a name, with the first files that there are below a folder.
func (s *server) noFile(name, why, under string) error {
	e := mcp.NewError(fmt.Sprintf("%q %s", name, why), "no file")
	if names := s.files(under, 20); len(names) > 0 {
		e.Known, e.Try = strings.Join(names, ", "), mcp.Call{Tool: "open", Args: []any{"capture", names[0]}}
	}
	return e
}

// files returns the names of files below a folder, most of them at most. It leaves out files and folders whose names begin with a dot,
// and names that a terminal can't show.
func (s *server) files(under string, most int) (names []string) {
	for _, root := range s.roots {
		fs.WalkDir(root.FS(), filepath.ToSlash(under), func(name string, d fs.DirEntry, err error) error {
			switch {
			case len(names) >= most:
				return fs.SkipAll
			case err != nil, name != "." && strings.HasPrefix(d.Name(), "."):
				if d != nil && d.IsDir() {
					return fs.SkipDir
				}
			case d.Type().IsRegular() && plain.Text(name) == name:
				names = append(names, name)
			}
			return nil
		})
	}
	return names
}

// open returns a capture, which it reads unless that was done and the file is the same. Only its shape is kept, or what the owner's rules leave.
func (s *server) open(ctx context.Context, name string) (*capture, error) {
	root, rel, info, err := s.locate(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, s.noFile(name, "is not a file", rel)
	}
	key := root.Name() + "\x00" + rel
	i := slices.IndexFunc(s.opened, func(c *capture) bool {
		return c.name == key && c.size == info.Size() && c.modified.Equal(info.ModTime())
	})
	var c *capture
	if i >= 0 {
		c = s.opened[i]
		s.opened = slices.Delete(s.opened, i, i+1)
	} else {
		c = &capture{name: key, size: info.Size(), modified: info.ModTime()}
		if err := c.keep(ctx, root, rel, redact.Options{Values: s.values, Key: s.key}); err != nil {
			return nil, err
		}
	}
	s.opened = append(s.opened, c)
	held := 0
	for i := len(s.opened) - 1; i >= 0; i-- {
		if held += len(s.opened[i].trace); held > mostHeld && i < len(s.opened)-1 {
			s.opened = slices.Delete(s.opened, 0, i+1)
			break
		}
	}
	return c, nil
}

// keep reads the file and keeps what the tools may see of it.
func (c *capture) keep(ctx context.Context, root *os.Root, rel string, how redact.Options) error {
	open := func() (*os.File, error) { return root.Open(rel) }
	in := convert.Input{Name: rel, Size: c.size, ReaderAt: rooted{root, rel}, Open: func() (io.ReadCloser, error) { return open() }}
	r, err := redact.New(how)
	if err != nil {
		return err
	}
	job := redactcmd.Redaction{Captures: &files.Captures{Ctx: ctx, Inputs: []convert.Input{in}}, Name: rel, Redactor: r}
	if err := job.Detect(); err != nil {
		return err
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // the level is one that there is
	w := bufio.NewWriterSize(z, 1<<20)
	full := false
	err = job.Each(func(line []byte) {
		if full = full || packed.Len() > mostTrace; full {
			return
		}
		if kept := r.Line(line); kept != nil {
			w.Write(kept)
			w.WriteByte('\n')
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return job.Captures.Explained(err)
	}
	if full {
		return mcp.NewError(fmt.Sprintf("%q is too large: more than %s compressed", rel, plain.Size(mostTrace)), "informerscope minimise and informerscope report, on the command line")
	}
	w.Flush()
	z.Close()
	c.trace, c.lacks = packed.Bytes(), job.Lacks()
	return nil
}

// rooted reads at any place of a file below a folder. It is open only meanwhile.
type rooted struct {
	root *os.Root
	name string
}

func (r rooted) ReadAt(p []byte, off int64) (int, error) {
	f, err := r.root.Open(r.name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(p, off)
}

// mostLinked is the size in bytes of the largest capture that is searched for a part which fits into a link.
const mostLinked = 8 << 20

// text returns the capture's trace, nil if it is longer than mostLinked.
func (c *capture) text() ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(c.trace))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, mostLinked+1))
	if len(text) > mostLinked {
		return nil, nil
	}
	return text, err
}

// file returns the name of the capture's file.
func (c *capture) file() string { return filepath.Base(c.name[strings.IndexByte(c.name, 0)+1:]) }

// provide returns a context in which commands read the capture.
func (c *capture) provide(ctx context.Context) context.Context {
	return files.WithInput(ctx, convert.Input{Name: c.file(), Size: c.size, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(c.trace)), nil
	}})
}
