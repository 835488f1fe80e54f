package apiserver

import (
	"fmt"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// tape builds records for objects that are named by one letter.
type tape struct {
	t    *object.Table
	recs Records
}

func newTape() *tape { return &tape{t: object.NewTable(nil)} }

// add appends records: "list a b", "open", "+a", "~a", "-a", "?a", "initial",
// "end", "expired", "refused", each a second after the one before.
func (t *tape) add(texts ...string) *tape {
	for _, s := range texts {
		at := int64(len(t.recs)) * 1e9
		rv := object.NumberRV(uint64(len(t.recs) + 1))
		obj := func(name string) object.Ref { return t.t.Add(object.Meta{Name: t.t.Sym(name), RV: rv}) }
		put := func(r Record) { r.Time, r.RV = at, rv; t.recs = append(t.recs, r) }
		switch s {
		case "open":
			put(Record{Kind: WatchOpen})
		case "end":
			put(Record{Kind: WatchEnd})
		case "initial":
			put(Record{Kind: InitialEnd})
		case "expired":
			put(Record{Kind: WatchEvent, Delta: event.Error, Failure: Expired, Code: 410})
		case "refused":
			put(Record{Kind: WatchError, Failure: Refused})
		case "denied": // a list
			put(Record{Kind: ListBegin})
			put(Record{Kind: ListError, Failure: OtherFailure, Code: 403})
		case "asked": // for a list, which is never answered
			put(Record{Kind: ListBegin})
		default:
			switch name := s[1:]; s[0] {
			case '?': // of another kind
				put(Record{Kind: WatchEvent, Delta: event.Deleted, Failure: OtherKind, Obj: obj(name)})
			case '+':
				put(Record{Kind: WatchEvent, Delta: event.Added, Obj: obj(name)})
			case '~':
				put(Record{Kind: WatchEvent, Delta: event.Updated, Obj: obj(name)})
			case '-':
				put(Record{Kind: WatchEvent, Delta: event.Deleted, Obj: obj(name)})
			default: // "list a b", all of it at one time
				put(Record{Kind: ListBegin})
				for _, c := range s[len("list"):] {
					if c != ' ' {
						put(Record{Kind: ListItem, Obj: obj(string(c))})
					}
				}
				put(Record{Kind: ListEnd})
			}
		}
	}
	return t
}

func (t *tape) write(a Answer) string {
	switch a.Answer {
	case Listed:
		s := "listed"
		for _, r := range a.List {
			s += " " + t.t.KeyText(t.t.KeyOf(r))
		}
		return s
	case Opened:
		return "opened"
	case Closed:
		return "closed"
	case Event:
		if a.Delta == event.Error {
			return fmt.Sprint("error ", a.Code)
		}
		return a.Delta.String() + " " + t.t.KeyText(t.t.KeyOf(a.Obj))
	}
	return fmt.Sprint("failed ", a.Failure)
}

// TestPlayback makes requests at their times in seconds and looks at what
// comes, and when, up to what the stream brings before the next request.
func TestPlayback(t *testing.T) {
	type request struct {
		at   int64 // seconds
		what string
	}
	for _, c := range []struct {
		name string
		tape []string
		asks []request
		want []string
	}{
		{"as recorded", []string{"list a", "open", "~a"}, []request{{0, "list"}, {0, "watch"}, {9, ""}},
			[]string{"0.000 listed a", "3.000 opened", "4.000 Updated a"}},
		{"late", []string{"list a", "open", "~a"}, []request{{7, "list"}, {8, "watch"}, {9, ""}},
			[]string{"7.000 listed a", "8.000 opened", "4.000 Updated a"}},
		{"a list within a recorded watch", []string{"list a", "open", "+b", "-a", "+c", "+d"}, []request{{0, "list"}, {3, "watch"}, {4, "hang up"}, {5, "list"}, {6, "watch"}, {20, ""}},
			[]string{"0.000 listed a", "3.000 opened", "4.000 Added b", "5.005 listed b", "6.005 opened", "6.000 Added c", "7.000 Added d"}},
		{"another kind within a recorded watch", []string{"list a", "open", "?a", "+b", "?b"}, []request{{0, "list"}, {3, "watch"}, {5, "hang up"}, {6, "list"}, {9, ""}},
			[]string{"0.000 listed a", "3.000 opened", "4.000 Deleted a", "5.000 Added b", "6.005 listed a b"}},
		{"a watch where the recorder listed", []string{"list a", "list b", "open"}, []request{{0, "list"}, {2, "watch"}, {4, "list"}, {6, "watch"}, {20, ""}},
			[]string{"0.000 listed a", "2.005 opened", "3.000 error 0", "4.000 listed b", "6.000 opened"}},
		{"begins with a watch", []string{"open", "+a", "~a"}, []request{{0, "list"}, {1, "watch"}, {9, ""}},
			[]string{"0.005 listed", "1.000 opened", "1.000 Added a", "2.000 Updated a"}},
		{"begins with a streaming list", []string{"open", "+b", "+a", "initial", "~a"}, []request{{0, "list"}, {4, "watch"}, {9, ""}},
			[]string{"3.000 listed b a", "4.005 opened", "4.000 Updated a"}},
		{"after its end", []string{"list a", "open", "+b", "expired"}, []request{{0, "list"}, {3, "watch"}, {6, "list"}, {7, "watch"}, {99, ""}},
			[]string{"0.000 listed a", "3.000 opened", "4.000 Added b", "5.000 error 410", "6.005 listed a b", "7.005 opened"}},
		{"refused", []string{"list a", "refused", "open"}, []request{{0, "list"}, {3, "watch"}, {4, "watch"}, {9, ""}},
			[]string{"0.000 listed a", "3.000 failed Refused", "4.000 opened"}},
		{"denied", []string{"denied", "denied", "list a"}, []request{{0, "list"}, {2, "list"}, {4, "list"}, {9, ""}},
			[]string{"0.000 failed Other", "2.000 failed Other", "4.000 listed a"}},
		{"denied for good", []string{"denied", "denied"}, []request{{0, "list"}, {2, "list"}, {4, "list"}, {9, ""}},
			[]string{"0.000 failed Other", "2.000 failed Other"}},
		{"denied, and asks late", []string{"denied", "denied", "denied", "list a"}, []request{{0, "list"}, {6, "list"}, {7, "list"}, {9, ""}},
			[]string{"0.000 failed Other", "6.000 failed Other", "7.000 listed a"}},
		{"refused, and asks late", []string{"list a", "refused", "refused", "refused", "open"}, []request{{0, "list"}, {5, "watch"}, {7, "watch"}, {9, ""}},
			[]string{"0.000 listed a", "5.000 failed Refused", "7.000 opened"}},
		{"never answered", []string{"asked"}, []request{{0, "list"}, {9, ""}}, nil},
		{"given up, and asked again", []string{"asked", "asked", "list a"}, []request{{0, "list"}, {9, ""}}, []string{"2.000 listed a"}},
		{"given up, and then denied", []string{"asked", "denied"}, []request{{0, "list"}, {3, "list"}, {9, ""}}, []string{"1.000 failed Other"}},
		{"a list that was cut", []string{"open", "+a", "end", "list b"}, []request{{1, "list"}, {1, "watch"}, {3, "list"}, {9, ""}},
			[]string{"1.005 listed", "1.000 opened", "1.000 Added a", "2.000 closed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tp := newTape().add(c.tape...)
			if c.name == "a list that was cut" {
				tp.recs = tp.recs[:len(tp.recs)-1]
			}
			p := NewPlayback(tp.t, tp.recs, nil)
			var got []string
			for i, ask := range c.asks {
				switch ask.what {
				case "list":
					p.List(object.ListOptions{}, ask.at*1e9)
				case "watch":
					p.Watch(object.ListOptions{}, ask.at*1e9)
				case "hang up":
					p.Hangup()
				}
				until := actor.Never
				if i+1 < len(c.asks) {
					until = c.asks[i+1].at * 1e9
				}
				for {
					at, ok := p.Due()
					if !ok {
						t.Fatal("a whole recording is starved")
					}
					if at == actor.Never || p.State() == Open && at > until {
						break
					}
					a := p.Take()
					got = append(got, fmt.Sprintf("%d.%03d %s", at/1e9, at/1e6%1000, tp.write(a)))
					if a.Delta == event.Error {
						p.Hangup()
					}
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("the requests are answered by\n got %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestAnyRecording: whatever is in a recording, in whatever order, it is played
// to its end, and the growing of a feed never changes an answer.
func TestAnyRecording(t *testing.T) {
	for seed := range uint64(300) {
		rnd := actor.Rand(seed)
		tbl := object.NewTable(nil)
		var recs Records
		for range rnd.Intn(60) {
			obj := object.Ref(0)
			if rnd.Intn(5) > 0 {
				obj = tbl.Add(object.Meta{Name: tbl.Sym(string(rune('a' + rnd.Intn(5)))), RV: object.NumberRV(uint64(len(recs)))})
			}
			recs = append(recs, Record{Time: int64(rnd.Intn(1000)) * 1e6, Kind: RecordKind(1 + rnd.Intn(int(WatchEnd))), Obj: obj,
				Delta: event.Delta(rnd.Intn(int(event.Unknown) + 1)), Failure: Failure(rnd.Intn(int(numFailures))), RV: object.RV(rnd.Intn(3)), Streaming: rnd.Intn(2) == 0})
		}
		p, q := NewPlayback(tbl, recs, nil), NewPlayback(tbl, &partly{Records: recs}, nil)
		now := int64(0)
		for n := 0; ; n++ {
			if n > 10_000 {
				t.Fatalf("seed %d: the playback does not end", seed)
			}
			now += int64(rnd.Intn(50)) * 1e6
			switch p.State() {
			case Idle:
				if rnd.Intn(2) == 0 {
					p.List(object.ListOptions{}, now)
					q.List(object.ListOptions{}, now)
				} else {
					p.Watch(object.ListOptions{}, now)
					q.Watch(object.ListOptions{}, now)
				}
			case Open:
				if rnd.Intn(10) == 0 {
					p.Cut()
					q.Cut()
				}
			}
			at, _ := p.Due()
			for {
				later, ok := q.Due()
				if ok {
					if later != at {
						t.Fatalf("seed %d: the answer is due at %d, and at %d while the feed grows", seed, at, later)
					}
					break
				}
				q.rec.feed.(*partly).n++
			}
			if at == actor.Never {
				break
			}
			now = max(now, at)
			a, b := p.Take(), q.Take()
			if a.Record != b.Record || a.Answer != b.Answer || !slices.Equal(a.List, b.List) {
				t.Fatalf("seed %d: the answer is %+v, and %+v while the feed grows", seed, a, b)
			}
		}
	}
}

// partly is a recording that is still being read.
type partly struct {
	Records
	n int
}

func (p *partly) Len() int       { return min(p.n, len(p.Records)) }
func (p *partly) Now() int64     { return 0 }
func (p *partly) Complete() bool { return p.n > len(p.Records) }
