// Package why says what came of each event and list of a key, for report and run.
package why

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/cause"
)

// Query is what --why asks for: the chains of a key, or those of them that were on their
// way at one step or at one moment.
type Query struct {
	Key  string
	step int64 // 0 for any
	time int64 // nanoseconds since the capture's start; -1 for any
}

// Parse reads the value of --why: KEY, KEY@STEP or KEY@TIME. The steps are counted from 1.
func Parse(text string) (Query, error) {
	w := Query{Key: text, time: -1}
	key, when, ok := cutLast(text, "@")
	if !ok {
		return w, nil
	}
	if n, err := strconv.ParseInt(when, 10, 64); err == nil && n <= 0 {
		return w, fmt.Errorf("invalid step in %q; want 1 or more", text)
	}
	if step, at, err := Moment(when); err == nil {
		return Query{key, step, at}, nil
	}
	return w, nil // an @ of the key's own
}

// Moment reads a step, counted from 1, or a time since the start, such as 1:23.456 or 83s. The other one is then 0 or -1.
func Moment(text string) (step, at int64, err error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
		return n, -1, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return 0, int64(d), nil
	}
	if ns, ok := parseMoment(text); ok {
		return 0, ns, nil
	}
	return 0, -1, fmt.Errorf("invalid moment %q; want a step, such as 120, or a time, such as 1:23.456 or 83s", text)
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// parseMoment reads what report.Moment prints: 1:23.456 or 1:02:03.
func parseMoment(text string) (ns int64, ok bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	seconds := 0.0
	for i, part := range parts {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil || f < 0 || i > 0 && f >= 60 || i < len(parts)-1 && strings.Contains(part, ".") {
			return 0, false
		}
		seconds = 60*seconds + f
	}
	if seconds > 1e9 {
		return 0, false
	}
	return int64(seconds*1e9 + 0.5), true
}

// Matches reports whether the chain that begins with n was asked for.
func (w *Query) Matches(n *cause.Node) bool {
	if w.step == 0 && w.time < 0 {
		return true
	}
	first, last, hit := int64(-1), int64(-1), false
	n.Each(func(c *cause.Node) bool {
		for _, l := range c.Links {
			hit = hit || l.Step == w.step
			if first < 0 || l.Time < first {
				first = l.Time
			}
			last = max(last, l.Time)
		}
		return true
	})
	return hit || w.time >= 0 && first <= w.time && (w.time <= last || !n.Done())
}

// NothingFound returns the error that none of so many chains of the key was asked for.
func (w *Query) NothingFound(chains int) error {
	return fmt.Errorf("none of the %d chains of %q has anything at that step, or by that time", chains, w.Key)
}

// Follows reports whether the moment that is asked about comes after the chain has begun.
func (w *Query) Follows(n *cause.Node) bool { return n.First().Time <= w.time }
