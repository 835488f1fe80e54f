package objects

import (
	"bufio"
	"bytes"

	"github.com/informerscope/informerscope/replay/convert/internal/capture"
)

// dumpLogs replaces by spaces the logs of containers, which kubectl cluster-info dump
// prints after its lists.
type dumpLogs struct {
	r      *bufio.Reader
	inside bool // a log
	within bool // a line
	blank  bool // that line is part of a log
	count  int64
}

// What kubectl prints before and after each log.
var (
	logBegins = []byte("==== START logs for container ")
	logEnds   = []byte("==== END logs for container ")
)

func (d *dumpLogs) Read(p []byte) (int, error) {
	if !d.within {
		head, _ := d.r.Peek(len(logBegins))
		d.within, d.blank = true, d.inside
		switch {
		case !d.inside && bytes.HasPrefix(head, logBegins):
			d.inside, d.blank = true, true
			d.count++
		case d.inside && bytes.HasPrefix(head, logEnds):
			d.inside = false
		}
	}
	n, end, err := capture.ReadInLine(d.r, p)
	d.within = !end
	if d.blank {
		capture.BlankOut(p[:n])
	}
	return n, err
}
