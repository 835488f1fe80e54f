package serve

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"net/http"
)

// Embedded serves the page that a program carries. The files are those of make dist, without
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
