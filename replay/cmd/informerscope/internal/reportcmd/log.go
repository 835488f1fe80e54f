package reportcmd

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// said is what the controller has logged.
type said struct {
	T     int64       `json:"t"` // in nanoseconds since the start
	Level trace.Level `json:"level"`
	Text  string      `json:"text"`
}

// mostSaid is how many entries of the log are printed with a step.
const mostSaid = 3

// said returns the last entries of the log up to a time, without those that came with an earlier step of the
// resource.
func (a *asked) said(r *trace.Resource, now int64) (out []said) {
	log := a.trace.Log
	from := a.logged[r]
	n, _ := slices.BinarySearchFunc(log, now+1, func(l trace.Logged, t int64) int { return int(max(-1, min(1, l.At-t))) })
	a.logged[r] = max(n, from)
	for _, l := range log[min(max(from, n-mostSaid), n):n] {
		text, _, _ := strings.Cut(l.Text, "\n")
		out = append(out, said{l.At, l.Level, text})
	}
	return out
}
