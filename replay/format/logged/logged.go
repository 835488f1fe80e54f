// Package logged tells what is laid over a capture from a capture: a controller's log, and what Prometheus has
// measured.
package logged

import "bytes"

// tried is how many lines may come before the first one that a program has logged.
const tried = 10

// Looks reports whether an input that begins with head is a log of a controller: lines of klog,
// or of zap or slog as JSON or for a console. A time may stand before each. Such an input holds
// no objects, so it can only be laid over a capture. kubectl logs its warnings above what it prints,
// so an input that has objects as well is no log. Nor is what kubectl -v=9 logs.
func Looks(head []byte) bool {
	if OfKubectl(head) {
		return false
	}
	is := false
	for n := 0; len(head) > 0 && (is || n < tried); {
		line, rest, whole := bytes.Cut(head, []byte{'\n'})
		head = rest
		if line = bytes.TrimSpace(line); len(line) == 0 || is && !whole {
			continue // the rest of it has not come
		}
		n++
		stamped := false
		if begins(line, "dddd-dd-ddT") {
			for at := range line {
				if line[at] == ' ' || line[at] == '\t' {
					line, stamped = line[at+1:], true
					break
				}
			}
		}
		switch {
		case isRecord(line):
			return false
		case begins(line, "adddd dd:dd:dd.dddddd "), isObject(line), stamped && hasLevel(line):
			is = true
		case line[0] == '{', string(line) == "[", bytes.HasPrefix(line, []byte("apiVersion:")):
			return false
		}
	}
	return is
}

// OfKubectl reports whether klog's lines, where head has any, are those of kubectl -v=9. The bodies of its
// lists are in them, so it is a capture.
func OfKubectl(head []byte) bool {
	return bytes.Contains(head, []byte(" round_trippers.go:")) || bytes.Contains(head, []byte("] Config loaded from file"))
}

// begins reports whether b begins as a pattern says, in which d stands for any digit, and a for one of
// the letters that klog has for levels.
func begins(b []byte, pattern string) bool {
	if len(b) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		c, ok := b[i], false
		switch pattern[i] {
		case 'd':
			ok = '0' <= c && c <= '9'
		case 'a':
			ok = c == 'I' || c == 'W' || c == 'E' || c == 'F'
		default:
			ok = c == pattern[i]
		}
		if !ok {
			return false
		}
	}
	return true
}

// isObject reports whether a line is an object with a message and a time, and no object of the API.
func isObject(line []byte) bool {
	for _, first := range []string{"kind", "apiVersion", "type", "object", "metadata", "informerscope"} {
		if bytes.HasPrefix(line, []byte(`{"`+first+`"`)) {
			return false
		}
	}
	return line[0] == '{' && (has(line, "msg") || has(line, "message")) && (has(line, "ts") || has(line, "time") || has(line, "timestamp")) && !has(line, "podName")
}

// isRecord reports whether a line is an object as kube-scheduler-simulator records it. It has a time, and
// the object's conditions have messages.
func isRecord(line []byte) bool {
	if !bytes.Contains(line, []byte(`"resource":{`)) {
		return false
	}
	for _, event := range []string{"Add", "Update", "Delete"} {
		if bytes.Contains(line, []byte(`"event":"`+event+`"`)) {
			return true
		}
	}
	return false
}

// has reports whether a line has a field of a name, at any depth.
func has(line []byte, name string) bool { return bytes.Contains(line, []byte(`"`+name+`":`)) }

// hasLevel reports whether a line begins with the name of a level, as zap writes it for a console.
func hasLevel(line []byte) bool {
	for _, level := range []string{"DEBUG", "INFO", "WARN", "ERROR", "DPANIC", "PANIC", "FATAL"} {
		if bytes.HasPrefix(line, []byte(level)) {
			return true
		}
	}
	return false
}

// Measured reports whether an input that begins with head is the answer of Prometheus to a query.
func Measured(head []byte) bool {
	for _, word := range []string{"{", `"status"`, ":", `"`} {
		head = bytes.TrimLeft(head, " \t\r\n")
		if !bytes.HasPrefix(head, []byte(word)) {
			return false
		}
		head = head[len(word):]
	}
	return has(head, "resultType") || has(head, "errorType")
}
