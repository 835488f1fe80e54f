package capture

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// cast reads what asciinema records of a terminal, in its versions 1 to 3. It returns the text that was printed, with the time before
// each line that begins an object.
type cast struct {
	translated
	r       *bufio.Reader
	maxLine int // bytes of a line
	version int
	start   time.Time
	local   bool // the start isn't known
	now     float64
	lineAt  float64 // when the line began
	line    []byte  // that was printed so far
}

var (
	castBegins = regexp.MustCompile(`^\s*\{\s*"version"\s*:\s*[123]\s*,`)
	// controls are what a terminal does and doesn't show: colours, moves of its cursor, its title.
	controls = regexp.MustCompile("\x1b\\[[0-9;?<=>]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b[@-Z\\\\^_=>]|[\r\x07]")
)

// isCast reports whether head begins as a recording of asciinema does.
func isCast(head []byte) bool {
	return castBegins.Match(head) && (bytes.Contains(head, []byte(`"width"`)) || bytes.Contains(head, []byte(`"term"`)))
}

// Read returns the text.
func (c *cast) Read(b []byte) (int, error) { return c.read(b, c.next) }

// next reads a line of the recording: an array of a time, a kind and what was printed. The first line says when it began.
// Version 1 is one object, which may go over several lines.
func (c *cast) next() {
	if c.passEmptyLines(c.r) {
		return
	}
	line := c.readTo('\n')
	if c.version == 0 {
		c.begin(line)
		return
	}
	if len(line) > 0 && line[0] == '[' {
		c.event(line, 1)
	}
	if c.err == io.EOF {
		c.print("\n")
	}
}

// readTo reads up to and with the end.
func (c *cast) readTo(end byte) (all []byte) {
	for {
		part, err := c.r.ReadSlice(end)
		if len(all)+len(part) > c.maxLine {
			c.err = inflate.LimitError{Err: fault.Number("longLine max", int64(c.maxLine))}
			return nil
		}
		all = append(all, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			c.err = err
			return all
		}
	}
}

func (c *cast) begin(header []byte) {
	from, to, _ := jsonscan.Field(header, "version")
	c.version = 2
	if v := header[from:to]; len(v) == 1 {
		c.version = int(v[0] - '0')
	}
	if jsonscan.ValueEnd(header, 0) < 0 || c.version == 1 {
		c.version = 1
		for empty := 0; c.err == nil; {
			var more []byte
			if n, _ := emptyLines(c.r); n > 0 {
				c.r.Discard(n)
				empty += n
			} else {
				more = c.readTo('\n')
			}
			if len(header)+len(more)+empty > c.maxLine {
				c.err = inflate.LimitError{Err: fault.Number("longLine max", int64(c.maxLine))}
				return
			}
			header = append(header, more...)
		}
	}
	from, to, _ = jsonscan.Field(header, "timestamp")
	c.start = TimeOf(header[from:to])
	if c.local = c.start.IsZero(); c.local {
		c.start = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if c.version == 1 {
		from, to, _ = jsonscan.Field(header, "stdout")
		jsonscan.Elements(header[from:to], func(_, i, j int) bool {
			c.event(header[from+i:from+j], 0)
			return true
		})
		c.print("\n")
	}
}

// event takes in an event. Its text stands behind the time, and behind so many other fields.
func (c *cast) event(b []byte, others int) {
	at, kind, text := 0.0, "o", ""
	jsonscan.Elements(b, func(i, from, to int) bool {
		switch i {
		case 0:
			r := jsonscan.NewReader(b[from:to])
			r.Float(&at)
		case others + 1:
			text, _ = jsonscan.Unquote(b[from:to])
		case 1:
			kind, _ = jsonscan.Unquote(b[from:to])
		}
		return i <= others
	})
	const most = 100 * 365 * 24 * 3600 // seconds
	if at = math.Max(0, math.Min(at, most)); c.version == 2 {
		c.now = at
	} else {
		c.now = math.Min(c.now+at, most)
	}
	if kind == "o" {
		c.print(text)
	}
}

// print takes in what was printed.
func (c *cast) print(text string) {
	for text != "" {
		if len(c.line) == 0 {
			c.lineAt = c.now
		}
		end := strings.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		if len(c.line)+end <= c.maxLine {
			c.line = append(c.line, text[:end]...)
		}
		text = text[end:]
		if n := len(c.line); n > 0 && c.line[n-1] == '\n' {
			line := controls.ReplaceAll(c.line, nil)
			if line[0] == '{' {
				c.out = append(c.stamp(c.out), ' ')
			}
			c.out = append(c.out, line...)
			c.line = c.line[:0]
		}
	}
}

// stamp appends the time at which the line began.
func (c *cast) stamp(b []byte) []byte {
	at := c.start.Add(time.Duration(c.lineAt * 1e9)) // a hundred years at most
	if c.local {
		return at.AppendFormat(b, "15:04:05.000000")
	}
	return at.UTC().AppendFormat(b, "2006-01-02T15:04:05.000000Z")
}
