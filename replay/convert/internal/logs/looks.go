package logs

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
)

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
