//go:build js && wasm

// Command convert is the page's second program. It makes a trace in our own format
// of captures in any known format, and takes secrets out of a trace that is saved.
// It is a program of its own because it is large, few captures need it, and its
// memory is given back when the job is done.
package main

import (
	"io"
	"runtime/debug"
	"strings"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/wasm/dom/job"
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
	j, err := job.Take()
	if err != nil {
		panic(err) // without a job there is nowhere to report it
	}
	j.Done(run(j))
}

func run(j *job.Job) error {
	var inputs []convert.Input
	for _, f := range j.Files {
		inputs = append(inputs, convert.Input{Name: f.Name, Size: f.Size, Open: f.Open, At: f.At(), Loose: strings.Contains(f.Name, "/")})
	}
	to := func(w io.Writer) error {
		_, err := convert.Convert(w, inputs, convert.Options{MaxInflated: maxInflated, MaxHeld: maxHeld, Progress: j.Reading})
		return err
	}
	var err error
	if j.Options == "" {
		err = to(j)
	} else {
		err = redacted(j, j.Options, to, func(w io.Writer) error { return written(w, j.Files[0]) })
	}
	if flushed := j.Flush(); err == nil {
		err = flushed
	}
	return err
}
