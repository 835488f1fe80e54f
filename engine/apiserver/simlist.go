package apiserver

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// List asks for a list, or a page of one, at the time now.
func (s *Simulated) List(o object.ListOptions, now int64) {
	s.receive(Listing, o, now, (*SimConfig).checkList)
}

// receive takes a request, which is refused if check says so.
func (s *Simulated) receive(state State, o object.ListOptions, now int64, check func(*SimConfig, object.ListOptions) refusal) {
	s.Storage.autoCompact(now)
	s.leave(now)
	s.state, s.opts, s.asked = state, o, now
	if s.refusal = s.nextRefusal(now); !s.refusal.failed() {
		s.refusal = check(s.cfg, o)
	}
}

// checkList follows ValidateListOptions of apimachinery (internalversion/validation), and then
// ParseResourceVersion.
func (cfg *SimConfig) checkList(o object.ListOptions) refusal {
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
		return cfg.noNumber(o.RV)
	}
	return refusal{}
}

// zeroRV is the resourceVersion "0", for which any version will do.
var zeroRV = object.NumberRV(0)

func invalid(text string) refusal { return refusal{failure: OtherFailure, code: 422, text: text} }

func (cfg *SimConfig) noNumber(rv object.RV) refusal {
	return refusal{failure: OtherFailure, code: 500, text: "resourceVersion: invalid value " + strconv.Quote(cfg.Table.RVText(rv))}
}

func tooLarge(rev, current int64) refusal {
	return refusal{failure: TooLarge, code: 504, after: AfterSeconds(1),
		text: "Too large resource version: " + strconv.FormatInt(rev, 10) + ", current: " + strconv.FormatInt(current, 10)}
}

func expired(text string) refusal { return refusal{failure: Expired, code: 410, text: text} }

// listing is how a list is going to be answered.
type listing struct {
	time    int64 // when
	pos     int   // with the objects at this position of the history
	rev     int64 // which is this revision
	limit   int64
	after   string // only keys after this one, if paged
	paged   bool
	refusal refusal
}

// planList returns how the pending list is going to be answered.
func (s *Simulated) planList() listing {
	if s.refusal.failed() {
		return listing{time: s.asked + latency, refusal: s.refusal}
	}
	return s.Storage.planList(s.opts, s.asked)
}

// planList follows ShouldDelegateList, which decides by resourceVersion, resourceVersionMatch,
// limit and continue whether etcd answers or the watch cache.
func (s *Storage) planList(o object.ListOptions, asked int64) listing {
	at := asked + latency
	if !s.cfg.Uncached {
		at = max(at, s.cache.ready)
	}
	x, _ := o.RV.Number()
	rev := int64(x)
	switch {
	case o.Continue != 0:
		return s.planContinue(o, at)
	case o.RV == 0:
		return s.planRecent(o, at, asked)
	case s.cfg.Uncached && (o.RV == zeroRV || o.Match != object.Exact && o.Limit == 0):
		pos, now := s.etcd.writtenAt(at)
		if rev > now {
			return listing{time: at, refusal: tooLarge(rev, now)}
		}
		return listing{time: at, pos: pos, rev: now, limit: o.Limit}
	case o.RV == zeroRV:
		pos := s.etcd.cachePosition(at)
		return listing{time: at, pos: pos, rev: s.rev(pos)}
	case o.Match == object.Exact || o.Match == object.AnyMatch && o.Limit > 0:
		switch _, now := s.etcd.writtenAt(at); {
		case rev > now:
			return listing{time: at, refusal: tooLarge(rev, now)}
		case rev < s.readable():
			return listing{time: at, refusal: expired("resourceVersion " + strconv.FormatInt(rev, 10) + " of the list is too old")}
		}
		return listing{time: at, pos: s.etcd.after(rev), rev: rev, limit: o.Limit}
	}
	fresh := s.reaches(rev, asked)
	if fresh > asked+freshWait {
		return listing{time: asked + freshWait, refusal: tooLarge(rev, s.rev(s.etcd.cachePosition(asked+freshWait)))}
	}
	at = max(at, fresh)
	pos := s.etcd.cachePosition(at)
	return listing{time: at, pos: pos, rev: max(rev, s.rev(pos))}
}

// planRecent plans a consistent read, a list without a resourceVersion: nothing may be older than
// the request. CacheDelegator.GetList answers it from the cache, or from etcd if the cache has not
// caught up in time.
func (s *Storage) planRecent(o object.ListOptions, at, asked int64) listing {
	pos, rev := s.etcd.writtenAt(at)
	if !s.cfg.Classic && !s.cfg.Uncached {
		seen := s.cachedAt(pos)
		if seen <= asked+freshWait {
			at = max(at, seen)
		} else {
			at = asked + freshWait
			pos, rev = s.etcd.writtenAt(at)
		}
	}
	return listing{time: at, pos: pos, rev: rev, limit: o.Limit}
}

// planContinue plans a page after the first.
func (s *Storage) planContinue(o object.ListOptions, at int64) listing {
	rev, after, ok := readToken(s.cfg.Table, o.Continue)
	if !ok {
		return listing{time: at, refusal: refusal{failure: OtherFailure, code: 400, text: "continue: not a token of this server"}}
	}
	l := listing{time: at, rev: rev, limit: o.Limit, after: after, paged: true}
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

func (s *Simulated) takeList() Answer {
	l := s.planList()
	s.state, s.sent.erred = Idle, l.refusal.failed()
	if s.sent.erred {
		s.sent.message = l.refusal.text
		return Answer{Answer: ListFailed, Continue: l.refusal.token, Record: l.refusal.record(ListError, l.time)}
	}
	if !s.cfg.Classic && s.Storage.etcd.after(l.rev) <= s.Storage.etcd.cachePosition(l.time) {
		s.Storage.cache.progress = max(s.Storage.cache.progress, l.rev)
	}
	a := Answer{Answer: Listed, Record: Record{Kind: ListEnd, Time: l.time, RV: object.NumberRV(uint64(l.rev)), Code: 1}}
	a.List = s.Storage.etcd.objects(s.cfg.Table, l.pos, make([]object.Ref, 0, s.Storage.etcd.n))
	shard := s.cfg.applied(s.opts.Shard)
	a.ShardInfo = infoOf(shard, s.opts.Shard)
	a.List, a.Continue = s.cfg.page(a.List, l, shard)
	s.sent.newest = a.RV
	if n := len(a.List); n > 0 {
		s.sent.latest = a.List[n-1]
	}
	return a
}

func (r refusal) record(k RecordKind, at int64) Record {
	return Record{Kind: k, Time: at, Failure: r.failure, Code: r.code, RetryAfter: r.after}
}

// What the selector of a request makes of a server's objects and changes.

// selects reports whether r is an object that the selector selects, and the shard.
func (cfg *SimConfig) selects(r object.Ref, shard object.Shard) bool {
	return r != 0 && (cfg.Selects == nil || cfg.Selects(cfg.Table, r)) && shard.Matches(cfg.Table, r)
}

// Selects reports whether the requests of a client with a shard ask for an object.
func (s *Simulated) Selects(r object.Ref, shard object.Shard) bool { return s.cfg.selects(r, shard) }

// page keeps those objects that are selected and belong to the page, and makes
// the token for the next.
func (cfg *SimConfig) page(list []object.Ref, l listing, shard object.Shard) ([]object.Ref, object.Sym) {
	t := cfg.Table
	kept := list[:0]
	for _, r := range list {
		k := t.KeyOf(r)
		if l.paged && strings.Compare(t.KeyText(k), l.after) <= 0 || !cfg.selects(r, shard) {
			continue
		}
		if l.limit > 0 && int64(len(kept)) == l.limit {
			return kept, token(t, l.rev, t.KeyOf(kept[len(kept)-1]))
		}
		kept = append(kept, r)
	}
	return kept, 0
}

// selected follows cacheWatcher.convertToWatchEvent: it returns the type of watch event that a change is to a watch with
// the server's selector and of a shard. leaves tells whether the object lives on outside of the selection.
func (cfg *SimConfig) selected(c *change, shard object.Shard) (d event.Delta, leaves bool) {
	if cfg.Selects == nil && shard.Empty() {
		return c.typ, false
	}
	was, is := cfg.selects(c.old, shard), c.typ != event.Deleted && cfg.selects(c.obj, shard)
	switch {
	case was && is:
		return event.Updated, false
	case is:
		return event.Added, false
	case was:
		return event.Deleted, c.typ != event.Deleted
	}
	return event.None, false
}

// eventFor returns the event that such a watch gets for a change, or None.
// If an object leaves the selection, the watcher gets its deletion, with the content that
// it had there, at the revision of leaving.
func (cfg *SimConfig) eventFor(c *change, shard object.Shard) (event.Delta, object.Ref) {
	d, leaves := cfg.selected(c, shard)
	if leaves {
		return d, cfg.Versions.RowAt(cfg.Table.Meta(c.old), c.rev)
	}
	return d, c.obj
}

// A continue token says at which revision a list goes on, and after which key.
// Revision -1 is "whatever there is now": the rest of a list whose revision was
// compacted away, and which is therefore not consistent with its beginning.
// Clients must treat it as opaque. It is written as EncodeContinue writes it, in base64 of a
// little JSON, so that an inspector shows what one would see.

const (
	tokenHead  = `{"v":"meta.k8s.io/v1","rv":`
	tokenStart = `,"start":`
)

func token(t *object.Table, rev int64, after object.Key) object.Sym {
	text := tokenHead + strconv.FormatInt(rev, 10) + tokenStart + strconv.Quote(t.KeyText(after)) + "}"
	return t.Sym(base64.RawURLEncoding.EncodeToString([]byte(text)))
}

// readToken reads what token has written. ok is false if no server wrote that.
func readToken(t *object.Table, s object.Sym) (rev int64, after string, ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(t.Text(s))
	if err != nil {
		return 0, "", false
	}
	rest, ok := strings.CutPrefix(string(text), tokenHead)
	if !ok {
		return 0, "", false
	}
	number, start, ok := strings.Cut(rest, tokenStart)
	if !ok {
		return 0, "", false
	}
	if rev, err = strconv.ParseInt(number, 10, 64); err != nil {
		return 0, "", false
	}
	quoted, ok := strings.CutSuffix(start, "}")
	if !ok {
		return 0, "", false
	}
	after, err = strconv.Unquote(quoted)
	return rev, after, err == nil
}
