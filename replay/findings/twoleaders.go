package findings

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// twoLeaders looks for Leases that went from one holder to another before leaseDurationSeconds were over. Nobody has told the old
// holder, so it works as the leader beside the new one until it looks. client-go's candidates wait until then. Some events come later
// than others, so two seconds must be left. A Lease that is deleted is still believed in by its holder.
//
// The time since the last renewal is the longer of two: between the events, and between the renewTimes in them. So neither events that
// come late nor clocks that differ make it shorter. Where a list has brought the one holder or the other, nobody knows when it renewed, or
// whether somebody has released the Lease.
type twoLeaders struct {
	base
	leases        []lease // by key
	times         int64
	first         Finding
	to            Moment
	early, lasted int64 // of the first one
	evidence      []Evidence
}

// earlyBy is the threshold.
const earlyBy = 2 * second

// lease is what is known of one.
type lease struct {
	holder         string
	renewed, lasts int64
	clock          int64 // renewTime
	listed         bool
}

func (l *twoLeaders) record(x *reading, rec *trace.Record) {
	event := rec.Kind == trace.WatchEvent && rec.Type < trace.TypeDeleted
	if x.r.Resource != "leases" || x.r.Group != "coordination.k8s.io" || !event && rec.Kind != trace.ListItem || rec.Obj == 0 {
		return
	}
	k := x.r.Table.KeyOf(rec.Obj)
	l.leases = object.Grown(l.leases, k)
	was, now := l.leases[k], leaseOf(x.raw(rec))
	now.renewed, now.listed = rec.Time, !event || x.server.listing
	if now.holder == was.holder && now.clock == was.clock {
		now.renewed, now.listed = was.renewed, was.listed
	}
	l.leases[k] = now
	early := was.lasts - max(now.renewed-was.renewed, now.clock-was.clock)
	if now.listed || was.listed || was.holder == "" || now.holder == "" || now.holder == was.holder || early < earlyBy {
		return
	}
	e := Evidence{Moment: x.now(rec), Key: x.r.Table.KeyText(k)}
	if l.times == 0 {
		l.early, l.lasted = early, was.lasts
		l.first = Finding{Subject: Subject{Key: e.Key, Other: was.holder}, From: e.Moment, Message: now.holder}
	}
	l.times++
	l.to, l.evidence = e.Moment, show(l.evidence, e)
}

// leaseOf reads a Lease. Nothing is known of one whose fields aren't there.
func leaseOf(b []byte) (l lease) {
	jsonscan.Fields(b, func(key []byte, from, until int) bool {
		if !jsonscan.IsKey(key, "spec") {
			return true
		}
		eachField(b[from:until], "", fieldsDeep, func(path string, value []byte) bool {
			switch text, _ := jsonscan.Unquote(value); path {
			case "holderIdentity":
				l.holder = strings.Clone(text) // the bytes will be others
			case "leaseDurationSeconds":
				n, _ := strconv.ParseInt(string(value), 10, 32)
				l.lasts = n * second
			case "renewTime":
				l.clock = microTime(text)
			}
			return true
		})
		return false
	})
	return l
}

// microTime returns a time that metav1.MicroTime has written, which is in UTC, in nanoseconds since 1970. It returns 0 for any other text,
// and outside the years 1970 to 2261.
func microTime(text string) int64 {
	const layout = "dddd-dd-ddTdd:dd:dd"
	clock, ok := strings.CutSuffix(text, "Z")
	clock, fraction, _ := strings.Cut(clock, ".")
	if !ok || len(clock) != len(layout) || len(fraction) > 9 {
		return 0
	}
	for i, c := range layout {
		if digit := '0' <= clock[i] && clock[i] <= '9'; digit != (c == 'd') || !digit && clock[i] != byte(c) {
			return 0
		}
	}
	number := func(digits string) int64 {
		n, _ := strconv.ParseUint(digits, 10, 32)
		return int64(n)
	}
	year, month := number(clock[:4]), number(clock[5:7])
	if year < 1970 || year > 2261 {
		return 0
	}
	if month < 3 { // years begin in March, so that a leap day is the last
		year, month = year-1, month+12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + number(clock[8:10]) - 1 - 719468
	seconds := ((days*24+number(clock[11:13]))*60+number(clock[14:16]))*60 + number(clock[17:])
	return seconds*second + number((fraction + "000000000")[:9])
}

func (l *twoLeaders) retire(k int) {
	if k < len(l.leases) {
		l.leases[k] = lease{}
	}
}

func (l *twoLeaders) find(x *reading) []Finding {
	if t := x.pass.trace; l.times == 0 || !x.timed() || t.ProblemCount > t.Gaps || x.pass.leftOut() {
		return nil
	}
	f := l.first
	f.To, f.Evidence = l.to, l.evidence
	f.Counts = []Count{x.count("times", l.times), {Name: "early", N: l.early, Unit: Duration}, {Name: "lasts", N: l.lasted, Unit: Duration}}
	return []Finding{f}
}
