package redact

import (
	"bytes"
	"io"
	"strconv"

	"github.com/informerscope/informerscope/replay/trace"
)

// maxListed is how many findings Rewrite tells apart.
const maxListed = 60

// Rewrite writes a trace to w without what o takes out. write must write the same
// trace each time, one line with each Write. It is called twice, because the header
// has the counts, and because a message may hold a name whose object comes later.
//
// Unless anyway is set, Rewrite checks the result first. If something in it still looks
// like a secret, Rewrite doesn't write the trace but the findings, as one line of JSON:
// {"informerscope":"findings","found":[…],"more":0,"redacted":["tokens: 3"]}.
func Rewrite(w io.Writer, o Options, anyway bool, write func(io.Writer) error) error {
	counting, err := New(o)
	if err != nil {
		return err
	}
	taking, err := New(o)
	if err != nil {
		return err
	}
	check := NewCheck()
	err = write(lines(func(line []byte) error {
		taking.Learn(line)
		if kept := counting.Line(line); !anyway {
			check.Line(kept)
		}
		return nil
	}))
	if err != nil {
		return err
	}
	if list, more := check.Found(); len(list) > 0 {
		_, err := w.Write(appendFindings(nil, list, more, counting.Counts()))
		return err
	}
	header := true
	return write(lines(func(line []byte) error {
		if header {
			header = false
			line = counting.Counted(line)
		} else {
			line = taking.Line(line)
		}
		if line == nil {
			return nil // the line must be left out
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
		_, err := w.Write([]byte{'\n'})
		return err
	}))
}

// lines is called with each line, without its end.
type lines func([]byte) error

func (f lines) Write(b []byte) (int, error) {
	return len(b), f(bytes.TrimSuffix(b, []byte{'\n'}))
}

func appendFindings(out []byte, list []Found, more int64, taken []Count) []byte {
	if len(list) > maxListed {
		more += int64(len(list) - maxListed)
		list = list[:maxListed]
	}
	out = append(out, `{"informerscope":"findings","found":[`...)
	for i, f := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(append(out, `{"line":`...), f.Line, 10)
		out = strconv.AppendInt(append(out, `,"count":`...), f.Count, 10)
		out = appendQuoted(append(out, `,"path":`...), []byte(shortened(f.Path)))
		out = appendQuoted(append(out, `,"why":`...), []byte(shortened(f.Why)))
		if said := trace.AppendFault(nil, f.Said()); said != nil {
			out = append(append(out, `,"said":`...), said...)
		}
		out = append(appendQuoted(append(out, `,"mask":`...), []byte(f.Mask)), '}')
	}
	out = append(strconv.AppendInt(append(out, `],"more":`...), more, 10), `,"redacted":[`...)
	for i, c := range taken {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendQuoted(out, []byte(c.String()))
	}
	return append(out, "]}\n"...)
}

// shortened is s. If s is long, its middle is left out.
func shortened(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most/2]) + "…" + string(r[len(r)-most/2:])
	}
	return s
}
