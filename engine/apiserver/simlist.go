package apiserver

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
)

// List asks for a list, or a page of one, at the time now.
func (s *Simulated) List(o object.ListOptions, now int64) {
	s.autoCompact(now)
	s.state, s.opts, s.asked = Listing, o, now
	if s.refusal = s.failed(now); !s.refusal.is() {
		s.refusal = s.checkList(o)
	}
}

// checkList is what the server's validation says of o.
func (s *Simulated) checkList(o object.ListOptions) refusal {
	_, number := o.RV.Number()
	switch {
	case o.SendInitialEvents:
		return invalid("sendInitialEvents: forbidden for list")
	case o.Match != object.AnyMatch && o.RV == 0:
		return invalid("resourceVersionMatch: forbidden without resourceVersion")
	case o.Match != object.AnyMatch && o.Continue != 0:
		return invalid("resourceVersionMatch: forbidden with continue")
	case o.Match == object.Exact && o.RV == zeroRV:
		return invalid(`resourceVersionMatch: "Exact" is forbidden for resourceVersion "0"`)
	case o.Continue != 0 && o.RV != 0 && o.RV != zeroRV:
		return refusal{failure: OtherFailure, code: 400, text: "resourceVersion is not allowed with continue"}
	case o.RV != 0 && !number:
		return s.noNumber(o.RV)
	}
	return refusal{}
}

// zeroRV is the resourceVersion "0", for which any version will do.
var zeroRV = object.NumberRV(0)

func invalid(text string) refusal { return refusal{failure: OtherFailure, code: 422, text: text} }

func (s *Simulated) noNumber(rv object.RV) refusal {
	return refusal{failure: OtherFailure, code: 500, text: "resourceVersion: invalid value " + strconv.Quote(s.cfg.Table.RVText(rv))}
}

func tooLarge(rev, current int64) refusal {
	return refusal{failure: TooLarge, code: 504, after: AfterSeconds(1),
		text: "Too large resource version: " + strconv.FormatInt(rev, 10) + ", current: " + strconv.FormatInt(current, 10)}
}

func expired(text string) refusal { return refusal{failure: Expired, code: 410, text: text} }

// listing is how a list is going to be answered.
type listing struct {
	at      int64 // when
	pos     int   // with the objects at this position of the history
	rev     int64 // which is this revision
	limit   int64
	after   string // only keys after this one, if paged
	paged   bool
	refusal refusal
}

// planList follows the rules by which a server reads resourceVersion,
// resourceVersionMatch, limit and continue.
func (s *Simulated) planList() listing {
	at := s.asked + latency
	if s.refusal.is() {
		return listing{at: at, refusal: s.refusal}
	}
	o := s.opts
	if !s.cfg.Uncached {
		at = max(at, s.cache.ready)
	}
	x, _ := o.RV.Number()
	rev := int64(x)
	switch {
	case o.Continue != 0:
		return s.planContinue(at)
	case o.RV == 0:
		return s.planRecent(at)
	case s.cfg.Uncached && (o.RV == zeroRV || o.Match != object.Exact && o.Limit == 0):
		pos, now := s.etcd.writtenAt(at)
		if rev > now {
			return listing{at: at, refusal: tooLarge(rev, now)}
		}
		return listing{at: at, pos: pos, rev: now, limit: o.Limit}
	case o.RV == zeroRV:
		pos := s.etcd.seenAt(at)
		return listing{at: at, pos: pos, rev: s.cache.rev(&s.etcd, pos)}
	case o.Match == object.Exact || o.Match == object.AnyMatch && o.Limit > 0:
		switch _, now := s.etcd.writtenAt(at); {
		case rev > now:
			return listing{at: at, refusal: tooLarge(rev, now)}
		case rev < s.readable():
			return listing{at: at, refusal: expired("resourceVersion " + strconv.FormatInt(rev, 10) + " of the list is too old")}
		}
		return listing{at: at, pos: s.etcd.after(rev), rev: rev, limit: o.Limit}
	}
	fresh := s.reaches(rev)
	if fresh > s.asked+freshWait {
		return listing{at: s.asked + freshWait, refusal: tooLarge(rev, s.cache.rev(&s.etcd, s.etcd.seenAt(s.asked+freshWait)))}
	}
	at = max(at, fresh)
	pos := s.etcd.seenAt(at)
	return listing{at: at, pos: pos, rev: max(rev, s.cache.rev(&s.etcd, pos))}
}

// planRecent is a list without a resourceVersion: nothing may be older than the
// request. Servers of today answer it from the cache, once that has caught up.
func (s *Simulated) planRecent(at int64) listing {
	pos, rev := s.etcd.writtenAt(at)
	if !s.cfg.Classic && !s.cfg.Uncached {
		seen := s.hasSeen(pos)
		if seen <= s.asked+freshWait {
			at = max(at, seen)
		} else {
			at = s.asked + freshWait
			pos, rev = s.etcd.writtenAt(at)
		}
	}
	return listing{at: at, pos: pos, rev: rev, limit: s.opts.Limit}
}

// planContinue is a page after the first.
func (s *Simulated) planContinue(at int64) listing {
	rev, after, ok := readToken(s.cfg.Table, s.opts.Continue)
	if !ok {
		return listing{at: at, refusal: refusal{failure: OtherFailure, code: 400, text: "continue: not a token of this server"}}
	}
	l := listing{at: at, rev: rev, limit: s.opts.Limit, after: after, paged: true}
	switch {
	case rev < 0:
		l.pos, l.rev = s.etcd.writtenAt(at)
	case rev < s.readable():
		l.refusal = expired("the continue token is too old; the one that comes with this goes on inconsistently")
		l.refusal.token = token(s.cfg.Table, -1, s.cfg.Table.Key(after))
	default:
		l.pos = s.etcd.after(rev)
	}
	return l
}

// readable is the oldest revision whose objects can still be listed. Servers of
// today keep what the watch cache held at each revision of its window.
func (s *Simulated) readable() int64 {
	if s.cfg.Classic || s.cfg.Uncached {
		return s.etcd.compact
	}
	return min(s.etcd.compact, s.cache.oldest(&s.etcd))
}

// hasSeen is when the watch cache has all changes before a position.
func (s *Simulated) hasSeen(pos int) int64 {
	if pos == s.etcd.base {
		return s.cache.ready
	}
	return max(s.cache.ready, s.etcd.change(pos-1).seen)
}

// reaches is when the watch cache knows that it has seen everything up to rev:
// from a change of that revision or later, or from etcd's notice of progress.
func (s *Simulated) reaches(rev int64) int64 {
	if rev <= s.cache.rev(&s.etcd, s.etcd.seenAt(s.asked)) {
		return s.asked
	}
	at := int64(neverReached)
	if pos := s.etcd.after(rev - 1); pos < s.etcd.end() {
		at = s.hasSeen(pos + 1)
	}
	if rev <= s.etcd.revision && !s.cache.stuck {
		at = min(at, max(s.asked+progressIn+s.cache.lag, s.hasSeen(s.etcd.after(rev))))
	}
	return at
}

// takeList is the answer to the list.
func (s *Simulated) takeList() Answer {
	l := s.planList()
	s.state, s.erred = Idle, l.refusal.is()
	if s.erred {
		s.message = l.refusal.text
		return Answer{Answer: ListFailed, Continue: l.refusal.token, Record: l.refusal.record(ListError, l.at)}
	}
	if !s.cfg.Classic && s.etcd.after(l.rev) <= s.etcd.seenAt(l.at) {
		s.cache.progress = max(s.cache.progress, l.rev)
	}
	a := Answer{Answer: Listed, Record: Record{Kind: ListEnd, At: l.at, RV: object.NumberRV(uint64(l.rev)), Code: 1}}
	a.List = s.etcd.objects(s.cfg.Table, l.pos, make([]object.Ref, 0, s.etcd.n))
	a.List, a.Continue = s.page(a.List, l)
	s.newest = a.RV
	if n := len(a.List); n > 0 {
		s.latest = a.List[n-1]
	}
	return a
}

// page keeps those objects that are selected and belong to the page, and makes
// the token for the next.
func (s *Simulated) page(list []object.Ref, l listing) ([]object.Ref, object.Sym) {
	t := s.cfg.Table
	kept := list[:0]
	for _, r := range list {
		k := t.KeyOf(r)
		if l.paged && strings.Compare(t.KeyText(k), l.after) <= 0 || !s.selects(r) {
			continue
		}
		if l.limit > 0 && int64(len(kept)) == l.limit {
			return kept, token(t, l.rev, t.KeyOf(kept[len(kept)-1]))
		}
		kept = append(kept, r)
	}
	return kept, 0
}

func (s *Simulated) selects(r object.Ref) bool {
	return r != 0 && (s.cfg.Selects == nil || s.cfg.Selects(s.cfg.Table, r))
}

func (r refusal) record(k RecordKind, at int64) Record {
	return Record{Kind: k, At: at, Failure: r.failure, Code: r.code, RetryAfter: r.after}
}
