//go:build js && wasm

// Command convert is the page's second program. It makes a trace in our own format
// of captures in any known format, and takes secrets out of a trace that is saved.
// It is a program of its own because it is large, few captures need it, and its
// memory is given back when the job is done.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"io"
	"runtime/debug"
	"strings"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/excerpt"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/convert/ownwork"
	"github.com/informerscope/informerscope/wasm/dom/job"
	"github.com/informerscope/informerscope/wasm/link"
)

// The limits in a browser, in bytes. The browser keeps an input unpacked, and
// the program keeps what it holds of an archive.
const (
	maxInflated = 4 << 30
	maxHeld     = 512 << 20
)

func main() {
	// The memory is given back when the job is done. Until then, using more of it is
	// cheaper than collecting garbage.
	debug.SetGCPercent(400)
	j, err := job.Current()
	if err != nil {
		panic(err) // without a job there is nowhere to report it
	}
	j.Done(run(j))
}

func run(j *job.Job) error {
	q, err := link.DecodeConversion([]byte(j.Options))
	if err != nil {
		return err
	}
	var inputs []convert.Input
	for _, f := range j.Files {
		inputs = append(inputs, convert.Input{Name: f.Name, Size: f.Size, Open: f.Open, ReaderAt: f.At(), Loose: strings.Contains(f.Name, "/"), Kind: q.Kind})
	}
	to := func(w io.Writer) error {
		_, err := convert.Convert(w, inputs, convert.Options{MaxInflated: maxInflated, MaxHeld: maxHeld, Progress: j.Reading})
		return err
	}
	if q.Redact == nil {
		err = to(j)
	} else {
		err = redacted(j, q.Redact, to, func(w io.Writer) error { return written(w, j.Files[0]) })
	}
	if flushed := j.Flush(); err == nil {
		err = flushed
	}
	return err
}

// smallestPart returns a function that writes a part of the recording that convert
// writes. The part is kept in memory, since it is written several times and is
// small.
func smallestPart(l *link.MinimisedPart, convert func(io.Writer) error) (write func(io.Writer) error, err error) {
	from := func(line func([]byte)) error { return convert(lines(line)) }
	part, err := excerpt.Extract(from, &l.Plan, excerpt.Content(l.Content))
	return func(w io.Writer) error {
		for _, line := range part {
			if _, err := w.Write(append(line[:len(line):len(line)], '\n')); err != nil {
				return err
			}
		}
		return nil
	}, err
}

// lines is called with each line that is written, without its end.
type lines func([]byte)

func (f lines) Write(b []byte) (int, error) {
	f(bytes.TrimSuffix(b, []byte{'\n'}))
	return len(b), nil
}

// redacted writes to w what is to leave of what convert writes, or of a report what is to
// leave of what written writes.
func redacted(w io.Writer, q *link.Redact, convert, written func(io.Writer) error) (err error) {
	if q.OwnWork {
		return ownwork.Write(w, convert)
	}
	if q.Report {
		convert = written
	}
	if q.Part != nil {
		if convert, err = smallestPart(q.Part, convert); err != nil {
			return err
		}
	}
	key, err := hex.DecodeString(q.Key)
	if err != nil {
		return err
	}
	o := redact.Options{Values: !q.Share, Names: q.Names, Keep: q.Keep, Paths: q.Paths, Key: key, Report: q.Report}
	return redact.Rewrite(w, o, func(w io.Writer) error { return convert(trace.WithEdits(w, q.Edits)) })
}

// written writes a file as it is, one line with each Write.
func written(w io.Writer, f *job.File) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return err
		}
	}
}
