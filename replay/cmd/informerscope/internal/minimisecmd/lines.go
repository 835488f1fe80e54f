package minimisecmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// lineSearch looks for a part of a recording's lines in which a finding about a handler or a controller is still there. Such a finding
// depends on which call, Add or reconcile came after which other one. So the search leaves out whole resources, handlers, controllers and
// keys, and what the process did before a time and after another, and nothing between.
type lineSearch struct {
	header     []byte
	lines      []traceLine
	find       func(lines [][]byte) (f *findings.Finding, problems int64) // nil for none
	stopped    func() error
	finding    findings.Finding
	unreadable int64 // lines that can't be read
	omitted    map[string]bool
	from       int   // what the process did before this line is left out
	to         int64 // and all that came after this time
	tries      int
}

// traceLine is a line of a trace after its header.
type traceLine struct {
	raw   []byte
	time  int64
	units []string          // it is left out with any of them
	did   bool              // the line tells what the process did; others tell what the API server sent
	items []json.RawMessage // of a list
	keys  []string          // the units of items
}

// searchLines returns the smallest part that it has found, nil for none.
func (m *minimising) searchLines(all []byte) (*part, error) {
	header, rest, _ := bytes.Cut(all, []byte("\n"))
	s := &lineSearch{header: header, lines: readLines(rest), find: m.findIn, stopped: m.in.Captures.Ctx.Err, omitted: map[string]bool{}, to: math.MaxInt64}
	first, bad := s.find(s.part())
	if first == nil {
		return nil, fmt.Errorf("%s: %s isn't there", m.in.Name, m.o.finding)
	}
	s.finding, s.unreadable = *first, bad
	err := s.search()
	left := s.part()
	return &part{
		lines: func() ([][]byte, error) { return left, nil }, holds: s.hasFinding,
		left: fmt.Sprintf("%s of %s", plain.Plural(len(left), "line"), plain.Count(int64(len(s.lines)+1))),
		time: s.finding.To.Time, tries: s.tries,
	}, err
}

// findIn looks for the finding in lines, and counts the lines that can't be read.
func (m *minimising) findIn(lines [][]byte) (f *findings.Finding, problems int64) {
	all := append(bytes.Join(lines, []byte("\n")), '\n')
	var log worker.Log
	r := format.NewReader(format.Options{OtherLine: log.Line})
	r.Write(all)
	r.Close()
	t := r.Trace()
	if !slices.ContainsFunc(t.Resources, func(r *trace.Resource) bool { return len(r.Records) > 0 }) { // there is nothing to play
		return nil, 0
	}
	pass := findings.NewPass(t, findings.Options{Resource: m.o.Report.Resource, Log: &log, Bytes: func(offset int64, n int) []byte { return all[offset:][:n] }})
	pass.Add(math.MaxInt)
	for _, f := range pass.Findings() {
		if f.ID == m.o.finding {
			return &f, int64(t.ProblemCount)
		}
	}
	return nil, 0
}

// readLines reads what comes after the header. Lines that are notes beside the recording are left out.
func readLines(b []byte) (all []traceLine) {
	type object struct {
		Metadata struct{ Namespace, Name string }
	}
	type subject struct{ Queue, Controller, Handler, Name, Key, URL string }
	key := func(k string) string { return "key " + k }
	name := func(o *object) string {
		if o.Metadata.Namespace == "" {
			return key(o.Metadata.Name)
		}
		return key(o.Metadata.Namespace + "/" + o.Metadata.Name)
	}
	linesOf := map[int64][]string{} // by the ids of requests, writes and reconciles
	for raw := range bytes.Lines(b) {
		raw = bytes.TrimSuffix(raw, []byte("\n"))
		var l struct {
			T, ID, In                                         int64
			Req, Write, Reconcile, Work, Call, Calling, Fault *subject
			Resp, Reconciled, Wrote, End, LeftOut, Redacted   json.RawMessage
			Body                                              *struct{ Items []json.RawMessage }
			Event                                             *struct{ Object object }
		}
		if json.Unmarshal(raw, &l) != nil {
			continue
		}
		x := traceLine{raw: raw, time: l.T, did: true}
		switch about := l.Call; {
		case l.Req != nil:
			p, _ := trace.ParsePath(l.Req.URL)
			linesOf[l.ID] = []string{"resource " + p.Group + " " + p.Resource + " " + p.Namespace}
			x.units, x.did = linesOf[l.ID], false
		case l.Resp != nil || l.End != nil:
			x.units, x.did = linesOf[l.ID], false
		case l.Body != nil:
			x.units, x.did, x.items = linesOf[l.ID], false, l.Body.Items
			for _, i := range x.items {
				var o object
				json.Unmarshal(i, &o) // what is no object has no name
				x.keys = append(x.keys, name(&o))
			}
		case l.Event != nil:
			x.units, x.did = linesOf[l.ID], false
			if k := name(&l.Event.Object); k != key("") {
				x.units = append(x.units[:len(x.units):len(x.units)], k)
			}
		case l.Reconcile != nil:
			linesOf[l.ID] = []string{"controller " + l.Reconcile.Controller, key(l.Reconcile.Key)}
			x.units = linesOf[l.ID]
		case l.Write != nil:
			if linesOf[l.ID] = linesOf[l.In]; linesOf[l.ID] == nil {
				linesOf[l.ID] = []string{key(l.Write.Key)}
			}
			x.units = linesOf[l.ID]
		case l.Reconciled != nil || l.Wrote != nil:
			x.units = linesOf[l.ID]
		case l.Work != nil:
			x.units = []string{"controller " + l.Work.Queue, key(l.Work.Key)}
		case about != nil || l.Calling != nil || l.Fault != nil:
			if about == nil {
				about = l.Calling
			}
			if about == nil {
				about = l.Fault
			}
			x.units = []string{"handler " + about.Handler + about.Name, key(about.Key)}
		case l.LeftOut != nil || l.Redacted != nil:
			x.did = false
		default:
			continue
		}
		all = append(all, x)
	}
	return all
}

// part returns the lines that are left.
func (s *lineSearch) part() [][]byte {
	out := [][]byte{s.header}
	for i := range s.lines {
		l := &s.lines[i]
		switch {
		case l.time > s.to || l.did && i < s.from || s.anyGone(l.units):
			continue
		case s.anyGone(l.keys):
			out = append(out, l.without(s.omitted))
		default:
			out = append(out, l.raw)
		}
	}
	if n := len(s.lines); n > 0 {
		out = append(out, strconv.AppendInt([]byte(`{"t":`), min(s.to, s.lines[n-1].time), 10))
		out[len(out)-1] = append(out[len(out)-1], '}')
	}
	return out
}

func (s *lineSearch) anyGone(units []string) bool {
	for _, u := range units {
		if s.omitted[u] {
			return true
		}
	}
	return false
}

// without returns a list without the items that are gone.
func (l *traceLine) without(gone map[string]bool) []byte {
	left := []json.RawMessage{}
	for i, k := range l.keys {
		if !gone[k] {
			left = append(left, l.items[i])
		}
	}
	var line, body map[string]json.RawMessage
	err := errors.Join(json.Unmarshal(l.raw, &line), json.Unmarshal(line["body"], &body))
	if err == nil {
		body["items"], err = json.Marshal(left)
	}
	if err == nil {
		line["body"], err = json.Marshal(body)
	}
	b, failed := json.Marshal(line)
	if errors.Join(err, failed) != nil {
		return l.raw
	}
	return b
}

// reproduces reports whether the finding is in what is left.
func (s *lineSearch) reproduces() bool {
	s.tries++
	return s.hasFinding(s.part())
}

// hasFinding reports whether the same finding is in lines.
func (s *lineSearch) hasFinding(lines [][]byte) bool {
	f, bad := s.find(lines)
	return f != nil && bad <= s.unreadable && f.Controller == s.finding.Controller && f.Handler == s.finding.Handler && f.Key == s.finding.Key && f.Fn == s.finding.Fn && f.Other == s.finding.Other &&
		f.Feeder == s.finding.Feeder && f.Lacks == s.finding.Lacks && f.Lost == s.finding.Lost && f.Tombstone == s.finding.Tombstone && f.Unknown == s.finding.Unknown && f.Last == s.finding.Last
}

// search looks for the smallest part. If it is stopped, what it has found until then is left.
func (s *lineSearch) search() error {
	for _, after := range []int64{0, 2_000_000_000, math.MaxInt64 - s.finding.To.Time} { // the process may not seem to have ended with it
		if s.to = s.finding.To.Time + after; s.reproduces() {
			break
		}
	}
	var units []string
	seen := map[string]bool{}
	for i := range s.lines {
		l := &s.lines[i]
		for _, all := range [][]string{l.units, l.keys} {
			for _, u := range all {
				if !seen[u] {
					seen[u] = true
					units = append(units, u)
				}
			}
		}
	}
	for size := (len(units) + 1) / 2; size > 0; size /= 2 {
		left := units[:0:0]
		for from := 0; from < len(units); from += size {
			some := units[from:min(from+size, len(units))]
			if err := s.stopped(); err != nil {
				return err
			}
			for _, u := range some {
				s.omitted[u] = true
			}
			if s.reproduces() {
				continue
			}
			for _, u := range some {
				delete(s.omitted, u)
			}
			left = append(left, some...)
		}
		units = left
	}
	for low, high := 0, len(s.lines); high-low > 1; {
		if err := s.stopped(); err != nil {
			s.from = low
			return err
		}
		if s.from = (low + high) / 2; s.reproduces() {
			low = s.from
		} else {
			high, s.from = s.from, low
		}
	}
	return nil
}
