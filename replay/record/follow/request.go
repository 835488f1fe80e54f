package follow

import (
	"strconv"
	"strings"
)

// Watches are asked for with a time-out between these two, in seconds, as
// client-go's reflector does, so that they do not all end at once.
const (
	minWatch = 300
	maxWatch = 600
)

// Requests that take longer than these, in nanoseconds, are given up.
const (
	listLimit  = 300 * second
	watchGrace = 30 * second // above the time-out that the server was asked for
)

// request makes the URL of the next request, and says how long the request may take.
func (f *Follower) request() (url string, limit int64) {
	q := query{}
	q.add("labelSelector", f.o.LabelSelector)
	q.add("fieldSelector", f.o.FieldSelector)
	if f.ask == aList {
		if !f.full {
			q.add("limit", number(f.o.PageSize))
		}
		q.add("continue", f.more)
		return f.o.Path + q.String(), listLimit
	}
	q.add("watch", "true")
	q.add("allowWatchBookmarks", "true")
	if f.ask == aStream {
		q.add("sendInitialEvents", "true")
		q.add("resourceVersionMatch", "NotOlderThan")
	}
	q.add("resourceVersion", string(f.rv))
	timeout := int64(minWatch)
	if f.o.Random != nil {
		timeout += int64(f.o.Random() * (maxWatch - minWatch))
	}
	q.add("timeoutSeconds", strconv.FormatInt(timeout, 10))
	return f.o.Path + q.String(), timeout*second + watchGrace
}

// query is the part of a URL after the question mark.
type query struct{ b strings.Builder }

func (q *query) add(name, value string) {
	if value == "" {
		return
	}
	q.b.WriteByte("?&"[min(q.b.Len(), 1)])
	q.b.WriteString(name)
	q.b.WriteByte('=')
	escape(&q.b, value)
}

func (q *query) String() string { return q.b.String() }

// escape writes s so that it stands for itself in a URL's path or query.
func escape(b *strings.Builder, s string) {
	const digits = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
}

func number(n int) string { return strconv.Itoa(n) }

// isJSON reports whether a content type is JSON's. An answer without a content type may be JSON.
func isJSON(contentType string) bool {
	contentType, _, _ = strings.Cut(contentType, ";")
	contentType = strings.TrimSpace(contentType)
	return contentType == "" || strings.EqualFold(contentType, "application/json")
}
