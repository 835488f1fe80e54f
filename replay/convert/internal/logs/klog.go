// Package logs reads what programs other than the API server log.
package logs

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Klog is what kubectl -v=9 writes to its standard error: requests and the bodies
// of their answers. It doesn't write the bodies of watches.
var Klog = capture.Form{
	ID: "klog", Convert: readKlog,
	Matches: func(head []byte) bool {
		for line := range bytes.Lines(head) {
			if _, _, ok := klogLine(line); ok {
				return ofKubectl(head)
			}
			if len(line) > 0 && line[0] == '{' {
				return false
			}
		}
		return false
	},
}

// klogReader reads such a log.
type klogReader struct {
	c    *objects.Reader
	now  time.Time // of the last line, in a year and a zone that need not be the true ones
	from time.Time // the first of them
	base time.Duration
	true bool // base added to now gives the true time
	// the last answer to a list or watch
	asked  bool // and its body has not come
	path   string
	r      api.Resource
	status int
	inBody bool // of several lines, which begin there:
	offset int64
	number int64
	body   []byte
	cut    int64 // bodies that were shortened
}

func readKlog(c *capture.Conversion) error {
	k := &klogReader{c: objects.ReaderOf(c)}
	err := c.Lines(func(line []byte, offset, number int64) error {
		if !k.inBody {
			k.offset, k.number = offset, number
		}
		return k.line(line)
	})
	if err != nil {
		return err
	}
	if k.inBody {
		if err := c.Problem(trace.Cut, k.number, k.offset, fault.Named("logCut path", k.path)); err != nil {
			return err
		}
	}
	if c.Out.Trace == nil {
		return fault.Plain("logNoList")
	}
	if err := c.RemarkCounts("", capture.Counted{ID: remarks.KlogCut, N: k.cut}); err != nil {
		return err
	}
	return c.Remark(remarks.KlogNoWatches, 0, "")
}

// klogLine takes a line apart: the header has no year and no zone.
func klogLine(line []byte) (at time.Time, message []byte, ok bool) {
	const header = "I1120 20:56:35.520934 "
	if len(line) < len(header) || !strings.ContainsRune("IWEF", rune(line[0])) || line[5] != ' ' {
		return at, nil, false
	}
	at, err := time.Parse("0102 15:04:05.000000", string(line[1:len(header)-1]))
	if err != nil {
		return at, nil, false
	}
	_, message, ok = bytes.Cut(line[len(header):], []byte("] "))
	return at.AddDate(2000, 0, 0), message, ok
}

// line reads a line.
func (k *klogReader) line(line []byte) error {
	at, message, ok := klogLine(line)
	switch {
	case ok && k.inBody:
		k.inBody = false
		return capture.Join(fault.Named("bodyCut path", k.path), k.message(at, message))
	case ok:
		return k.message(at, message)
	case k.inBody && string(line) == " >":
		k.inBody = false
		return k.answer(k.body)
	case k.inBody:
		if len(k.body)+len(line) > k.c.From.Limits.MaxLine {
			k.inBody = false
			return fault.Number("longBody max", int64(k.c.From.Limits.MaxLine))
		}
		k.body = append(append(k.body, bytes.TrimPrefix(line, []byte{'\t'})...), '\n')
	case bytes.HasPrefix(line, []byte("\tDate: ")):
		k.date(string(line[len("\tDate: "):]))
	}
	return nil
}

// date learns the year and the zone of the log from an answer's header.
func (k *klogReader) date(s string) {
	at, err := time.Parse("Mon, 02 Jan 2006 15:04:05 MST", s)
	if err != nil || k.true || k.from.IsZero() {
		return
	}
	// Zones are apart by quarters of an hour.
	k.base = at.Sub(k.now).Round(15 * time.Minute)
	k.true = true
}

// message reads what stands after a line's header.
func (k *klogReader) message(at time.Time, m []byte) error {
	if k.from.IsZero() {
		k.from = at
	}
	if at.Before(k.now.AddDate(0, -6, 0)) { // it is the next year
		at = at.AddDate(1, 0, 0)
	}
	k.now = at
	const body = `"Response Body" body=`
	switch {
	case bytes.HasPrefix(m, []byte(`"Response" verb=`)):
		return k.responseHead(klogValue(m, "verb"), klogValue(m, "url"), klogValue(m, "status"))
	case bytes.HasPrefix(m, []byte("GET ")): // before v1.33: GET URL 200 OK in 3 milliseconds
		if f := strings.Fields(string(m)); len(f) > 3 {
			return k.responseHead(f[0], f[1], f[2])
		}
	case bytes.HasPrefix(m, []byte(body+"<")):
		k.body, k.inBody = k.body[:0], true
	case bytes.HasPrefix(m, []byte(body+`"`)):
		text, err := strconv.Unquote(string(m[len(body):]))
		if err != nil {
			return fault.Named("bodyNoText path", k.path)
		}
		return k.answer([]byte(text))
	case bytes.HasPrefix(m, []byte("Response Body: ")):
		return k.answer(m[len("Response Body: "):])
	}
	return nil
}

// klogValue returns the quoted value of a key in a message, "" for none.
func klogValue(m []byte, key string) string {
	_, rest, ok := bytes.Cut(m, []byte(key+"="))
	if !ok || len(rest) == 0 || rest[0] != '"' {
		return ""
	}
	end := jsonscan.StringEnd(rest, 0)
	if end < 0 {
		return ""
	}
	s, err := strconv.Unquote(string(rest[:end]))
	if err != nil {
		return ""
	}
	return s
}

// responseHead takes note of an answer's head. It is all that there is of a watch.
func (k *klogReader) responseHead(verb, url, status string) error {
	path, r, watch, ok := api.ParsePath(url)
	k.asked = ok && verb == "GET"
	k.path, k.r = path, r
	code, _, _ := strings.Cut(status, " ")
	k.status, _ = strconv.Atoi(code)
	if !k.asked || !watch || k.status >= 300 {
		return nil
	}
	k.asked = false
	k.clock()
	id, err := k.c.Out.Request(path, k.status)
	if err == nil {
		err = k.c.Out.Trace.End(k.c.Out.Now(), id, "recorder-stopped", "", nil)
	}
	return capture.Fatal(err)
}

// clock sets the trace's clock.
func (k *klogReader) clock() {
	if k.true && (k.c.Out.Trace == nil || !k.c.Out.Start.IsZero()) {
		k.c.Out.SetTime(k.now.Add(k.base))
		return
	}
	k.c.Out.Offset(int64(k.now.Sub(k.from)))
}

// answer reads the body of the last answer.
func (k *klogReader) answer(b []byte) error {
	b = bytes.TrimSpace(b)
	if !k.asked {
		return nil
	}
	k.asked = false
	if i := bytes.LastIndex(b, []byte("[truncated ")); i >= 0 && bytes.HasSuffix(b, []byte(" chars]")) {
		k.cut++
		b = completed(b[:i])
	}
	k.clock()
	return k.c.Exchange(k.path, k.r, k.status, b)
}

// completed ends a list that was cut after its last whole item.
func completed(b []byte) []byte {
	const items = `"items":`
	i := bytes.Index(b, []byte(items))
	if i < 0 {
		return b
	}
	end := i + len(items)
	jsonscan.Elements(b[end:], func(_, _, to int) bool {
		i = end + to
		return true
	})
	if i < end {
		return append(b[:end:end], "[]}"...)
	}
	return append(b[:i:i], "]}"...)
}

// isLog reports whether an input that begins with head is a log of a controller. It holds no objects, so it can only
// be laid over a capture. Any lines may stand above: a terminal's, or what a program prints before it logs.
// kubectl logs its warnings above what it prints, so an input with nothing but objects below such warnings is no log.
// Nor is what kubectl -v=9 logs.
func isLog(head []byte) bool {
	if ofKubectl(head) {
		return false
	}
	entries := 0
	said := false    // there was more than warnings
	objects := false // one began after the last entry
	for len(head) > 0 {
		line, rest, whole := bytes.Cut(head, []byte{'\n'})
		head = rest
		if line = bytes.TrimRight(line, " \t\r"); len(line) == 0 || !whole && entries > 0 {
			continue // the rest of it has not come
		}
		e, how := entryOf(line)
		switch {
		case how == yearless || how == formed:
			entries++
			said = said || line[0] != 'W' && line[0] != 'E'
			objects = false
		case how == plain:
			objects = objects || isObject([]byte(e.text))
		case isObject(line):
			if entries == 0 {
				return false
			}
			objects = true
		}
	}
	if objects && !said {
		return false
	}
	return entries > 0
}

// isObject reports whether a line begins an object of the API, or anything that is made of some.
func isObject(line []byte) bool {
	switch {
	case len(line) == 0:
		return false
	case line[0] == '{':
		for _, name := range []string{"kind", "apiVersion", "type", "object", "metadata", "items", "informerscope"} {
			if bytes.HasPrefix(bytes.TrimLeft(line[1:], " "), []byte(`"`+name+`"`)) {
				return true
			}
		}
		return len(line) == 1
	}
	return string(line) == "[" || bytes.HasPrefix(line, []byte("apiVersion:"))
}

// ofKubectl reports whether klog's lines, where head has any, are from kubectl -v=9. The bodies of its
// lists are in them, so it is a capture.
func ofKubectl(head []byte) bool {
	return bytes.Contains(head, []byte(" round_trippers.go:")) || bytes.Contains(head, []byte("] Config loaded from file"))
}

// textBegins returns the index at which an entry begins in a line that has a prefix, such as the name of a pod, -1
// where there is none.
func textBegins(line []byte) int {
	const longest = 300
	within := line[:min(len(line), longest)]
	text := -1 // where a time stands before any text
	if at, n, _ := capture.Stamp(line); n > 0 && line[0] > '9' && at.Year() == 0 {
		text = 0 // as syslog has it
	}
	if _, how := accessLine(line); how == formed {
		return 0
	}
	for i := range within {
		cell := i > 0 && within[i-1] == '"' && (i == 1 || within[i-2] == ',') // of CSV
		if i > 0 && !cell && !strings.ContainsRune(" \t|:]>", rune(within[i-1])) {
			continue
		}
		switch c := within[i]; {
		case strings.IndexByte("IWEF", c) >= 0:
			if _, _, ok := klogLine(line[i:]); ok {
				return i
			}
		case c == 't' || c == 'l':
			if logfmtLine(string(bytes.TrimSpace(line[i:]))).level != "" {
				return i
			}
		case c == '[' && i == 0:
			if at, n, _ := capture.Stamp(line); n > 0 && !at.IsZero() {
				return 0
			}
		case '0' <= c && c <= '9':
			if i+10 < len(within) && (within[i+4] == '-' && within[i+7] == '-' || within[i+4] == '/' && within[i+7] == '/' || within[i+1] == '.') {
				switch e, how := entryOf(line[i:]); {
				case how == formed:
					return i
				case how == plain && text < 0 && strings.TrimSpace(e.text) != "" && (i == 0 || isPrefix(within[:i])):
					text = i
				}
			}
		}
	}
	return text
}

// isPrefix reports whether b is what kubectl, stern and docker compose put before a line: the names of a pod and its
// container, or of a service, and syslog and journalctl: a number, or the day of the week.
func isPrefix(b []byte) bool {
	words := strings.Fields(string(b))
	return len(words) > 0 && len(words) < 4 && (words[0][0] == '[' || words[0][0] == '<' || len(b) == len("Thu ") || words[len(words)-1] == "|" || strings.Trim(words[0], "abcdefghijklmnopqrstuvwxyz0123456789-.") == "")
}

// clock is how lines of Java begin that have the time of the day alone, with their thread.
var clock = regexp.MustCompile(`^\d\d:\d\d:\d\d([.,]\d+)? (\[[^\]]*\] *)?`)

// Timeless reports whether an input that begins with head is a log without days: each of its lines begins with the
// name of a level, as CoreDNS's do, or with the hour and that name. What Go prints of goroutines is one, too.
func Timeless(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	if bytes.HasPrefix(line, []byte("goroutine ")) {
		return true
	}
	line = capture.Uncoloured(line)
	line = line[len(clock.Find(line)):]
	if hour, rest, _ := bytes.Cut(line, []byte{' '}); bytes.HasSuffix(hour, []byte("M")) && len(hour) <= len("10:04PM") && bytes.IndexByte(hour, ':') > 0 {
		line = rest // zerolog writes the hour to a terminal, and no seconds
	}
	word, _, _ := bytes.Cut(line, []byte{' '})
	word, _, _ = bytes.Cut(word, []byte{':'})                        // the logging of Python writes INFO:root:
	level, _, _ := bytes.Cut(bytes.TrimLeft(word, "["), []byte{'['}) // logrus writes INFO[0000] to a terminal
	_, known := levels[strings.ToLower(string(bytes.Trim(level, "[]:")))]
	return known && len(line) > len(word) && api.FirstField(head, "kind") == ""
}
