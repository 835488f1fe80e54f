package format

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/trace"
)

// logLines is how many lines of an input may come before the first one that a program has logged.
const logLines = 10

// IsLog reports whether an input that begins with head is a log of a controller: lines of klog,
// or of zap or slog as JSON or for a console. A time may stand before each. Such an input holds
// no objects, so it can only be laid over a capture. kubectl logs its warnings above what it prints,
// so an input that has objects as well is no log.
func IsLog(head []byte) bool {
	n, is := 0, false
	for line := range bytes.Lines(head) {
		if line[len(line)-1] != '\n' && is {
			break // the rest of it has not come
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		stamped := false
		if rest := unstamped(line); len(rest) > 0 {
			line, stamped = rest, true
		}
		switch {
		case isKlog(line), isLogged(line), stamped && hasLevel(line):
			is = true
		case line[0] == '{', line[0] == '[' && len(line) == 1, bytes.HasPrefix(line, []byte("apiVersion:")):
			return false
		}
		if n++; n >= logLines && !is {
			return false
		}
	}
	return is
}

// unstamped is what stands after the time at a line's beginning, nil where there is no time.
func unstamped(line []byte) []byte {
	const date = "2026-11-20T"
	if len(line) < len(date) || !matches(line, "dddd-dd-ddT") {
		return nil
	}
	end := bytes.IndexAny(line, " \t")
	if end < 0 {
		return nil
	}
	return bytes.TrimLeft(line[end:], " \t")
}

// isKlog reports whether a line has klog's header: a letter for the level, month and day, and the time.
func isKlog(line []byte) bool {
	return len(line) > 0 && bytes.IndexByte([]byte("IWEF"), line[0]) >= 0 && matches(line[1:], "dddd dd:dd:dd.dddddd ")
}

// matches reports whether b begins as a pattern says, in which d stands for any digit.
func matches(b []byte, pattern string) bool {
	if len(b) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if d := b[i] >= '0' && b[i] <= '9'; pattern[i] == 'd' && !d || pattern[i] != 'd' && b[i] != pattern[i] {
			return false
		}
	}
	return true
}

// isLogged reports whether a line is an object with a message and no kind.
func isLogged(line []byte) bool {
	if len(line) == 0 || line[0] != '{' || !trace.Shallow(line) {
		return false
	}
	has := func(name string) bool {
		_, _, ok := trace.Field(line, name)
		return ok
	}
	return (has("msg") || has("message")) && (has("ts") || has("time") || has("timestamp")) && !has("kind") && !has("podName")
}

// hasLevel reports whether a line begins with the name of a level, as zap writes it for a console.
func hasLevel(line []byte) bool {
	word := line
	if i := bytes.IndexAny(line, " \t"); i >= 0 {
		word = line[:i]
	}
	switch string(word) {
	case "DEBUG", "INFO", "WARN", "ERROR", "DPANIC", "PANIC", "FATAL":
		return true
	}
	return false
}
