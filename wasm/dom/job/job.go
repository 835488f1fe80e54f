//go:build js && wasm

// Package job connects the converting program with its worker: it has the files
// to convert, and takes the result. Reads and writes wait for the browser, so
// only goroutines that may wait can use them, and never a call from JavaScript.
package job

import (
	"errors"
	"io"
	"slices"
	"syscall/js"

	"github.com/hack-pad/safejs"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/trace"
)

// Job is one conversion.
type Job struct {
	scope   safejs.Value // the one global of web/worker/convert.js
	Options string       // a link.Conversion
	Files   []*File
	out     []byte
	want    int // how much of it is given away at once
	read    int64
}

// piece is how many bytes are written at once, because each crossing costs more
// than its bytes. The first pieces are smaller, so that the page shows
// something soon.
const (
	piece = 1 << 22
	first = 1 << 16
)

// Current returns the worker's job.
func Current() (*Job, error) {
	scope, err := safejs.Global().Get("informerscope")
	if err != nil {
		return nil, err
	}
	j := &Job{scope: scope, out: make([]byte, 0, piece), want: first}
	if j.Options, err = text(scope, "options"); err != nil {
		return nil, err
	}
	files, err := scope.Get("files")
	if err != nil {
		return nil, err
	}
	n, err := files.Length()
	if err != nil {
		return nil, err
	}
	for i := range n {
		blob, err := files.Index(i)
		if err != nil {
			return nil, err
		}
		f := &File{job: j, number: i}
		if f.Name, err = text(blob, "name"); err != nil {
			f.Name = "" // pasted
		}
		if f.Size, err = number(blob, "size"); err != nil {
			return nil, err
		}
		j.Files = append(j.Files, f)
	}
	return j, nil
}

// Reading notes how much of all files has been read. The next Write passes it
// on.
func (j *Job) Reading(read, _ int64) { j.read = read }

// Write passes b on in large pieces.
func (j *Job) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		n := min(len(rest), j.want-len(j.out))
		j.out = append(j.out, rest[:n]...)
		rest = rest[n:]
		if len(j.out) == j.want {
			if err := j.Flush(); err != nil {
				return 0, err
			}
			j.want = min(4*j.want, piece)
		}
	}
	return len(b), nil
}

// Flush passes on what Write has held back, and waits while too many pieces are
// on their way.
func (j *Job) Flush() error {
	if len(j.out) == 0 {
		return nil
	}
	array, err := j.scope.Call("array", len(j.out))
	if err != nil {
		return err
	}
	js.CopyBytesToJS(safejs.Unsafe(array), j.out)
	j.out = j.out[:0]
	taken, err := j.scope.Call("put", array, float64(j.read))
	if err != nil {
		return err
	}
	_, err = await(taken)
	return err
}

// Done ends the job. err says what went wrong, and is nil for success.
func (j *Job) Done(err error) {
	why, said := "", ""
	if err != nil {
		why, said = err.Error(), string(trace.AppendFault(nil, err))
	}
	j.scope.Call("done", why, said) // nothing is left to do where it fails
}

// File is one of a job's files.
type File struct {
	Name   string
	Size   int64 // in bytes, compressed or not
	job    *Job
	number int
}

// Open reads the file from its beginning. web/worker/reader.js unpacks it where
// it is gzipped, which is several times as fast as Go here.
func (f *File) Open() (io.ReadCloser, error) {
	s, err := f.job.scope.Call("open", f.number)
	return &stream{from: s}, err
}

// At returns a reader of any place of the file. It is nil where Open unpacks
// the file, because the two would read different bytes.
func (f *File) At() io.ReaderAt {
	var head [2]byte
	if n, _ := f.ReadAt(head[:], 0); n == len(head) && head == [2]byte{0x1f, 0x8b} {
		return nil
	}
	return f
}

// ReadAt reads the file as it is stored.
func (f *File) ReadAt(b []byte, at int64) (int, error) {
	if at >= f.Size {
		return 0, io.EOF
	}
	n := min(int64(len(b)), f.Size-at)
	array, err := f.job.scope.Call("slice", f.number, float64(at), float64(at+n))
	if err != nil {
		return 0, err
	}
	got := js.CopyBytesToGo(b[:n], safejs.Unsafe(array))
	if got < len(b) {
		return got, io.EOF
	}
	return got, nil
}

type stream struct {
	from safejs.Value
	buf  []byte // of the last piece, for the next
	left []byte
	err  error
}

func (s *stream) Read(b []byte) (int, error) {
	for len(s.left) == 0 && s.err == nil {
		s.left, s.err = s.next()
	}
	if len(s.left) == 0 {
		return 0, s.err
	}
	n := copy(b, s.left)
	s.left = s.left[n:]
	return n, nil
}

// next waits for the next piece.
func (s *stream) next() ([]byte, error) {
	promise, err := s.from.Call("read")
	if err != nil {
		return nil, err
	}
	array, err := await(promise)
	if err != nil {
		return nil, err
	}
	if array.IsNull() {
		return nil, io.EOF
	}
	n, err := array.Length()
	if err != nil {
		return nil, err
	}
	s.buf = slices.Grow(s.buf[:0], n)[:n]
	js.CopyBytesToGo(s.buf, safejs.Unsafe(array))
	return s.buf, nil
}

func (s *stream) Close() error {
	_, err := s.from.Call("cancel")
	return err
}

func await(promise safejs.Value) (safejs.Value, error) {
	type settled struct {
		v   safejs.Value
		err error
	}
	c := make(chan settled, 1)
	kept, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		s := settled{}
		if len(args) > 0 {
			s.v = args[0]
		}
		c <- s
		return nil
	})
	if err != nil {
		return safejs.Undefined(), err
	}
	defer kept.Release()
	broken, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		var why error = fault.Plain("browserRefused")
		if len(args) > 0 {
			if m, err := text(args[0], "message"); err == nil && m != "" {
				why = errors.New(m)
				if said, err := text(args[0], "said"); err == nil && said != "" { // an error of ours
					why = trace.ReadFault([]byte(said), m)
				}
			}
		}
		c <- settled{err: why}
		return nil
	})
	if err != nil {
		return safejs.Undefined(), err
	}
	defer broken.Release()
	if _, err := promise.Call("then", kept.Value(), broken.Value()); err != nil {
		return safejs.Undefined(), err
	}
	s := <-c
	return s.v, s.err
}

func text(v safejs.Value, name string) (string, error) {
	x, err := v.Get(name)
	if err != nil {
		return "", err
	}
	return x.String()
}

func number(v safejs.Value, name string) (int64, error) {
	x, err := v.Get(name)
	if err != nil {
		return 0, err
	}
	n, err := x.Float()
	return int64(n), err
}
