package apiserver

import "testing"

func TestCompactsByItself(t *testing.T) {
	b := newBench(t, SimConfig{CompactEvery: 5 * second, Uncached: true}).do("+a/x")
	for range 12 {
		b.do("~a/x")
	}
	b.want(b.list("rv=3 match=exact"), "410 resourceVersion 3 of the list is too old")
	b.want(b.list("rv=12 match=exact"), "12 [a/x@12]")
}

func TestCopiesGoTheirOwnWay(t *testing.T) {
	b := newBench(t, SimConfig{}).do("+a/x")
	b.watch("rv=2")
	c := &bench{t: t, tbl: b.tbl, s: b.s.CopyTo(nil).(*Simulated), now: b.now}
	b.do("~a/x")
	c.do("-a/x", "+a/y")
	b.want(b.take(), "Updated a/x@3")
	c.want(c.take()+", "+c.take(), "Deleted a/x@3, Added a/y@4")
	again := b.s.CopyTo(c.s)
	if again != Server(c.s) {
		t.Error("a copy's memory is not used again")
	}
	c.s.Hangup()
	c.want(c.list(""), "3 [a/x@3]")
}

func TestServingAllocates(t *testing.T) {
	b := newBench(t, SimConfig{CompactEvery: 60 * second})
	b.do("+a/x")
	b.watch("rv=2 timeout=1000000")
	m := b.tbl.Meta(b.s.Storage.Get(b.tbl.Key("a/x")))
	m.RV = 0 // no precondition
	rows := b.s.cfg.Versions
	for i := range int64(60_000) {
		rows.RowAt(m, i)
	}
	round := func() {
		b.now += second / 10
		b.s.Write(Write{Verb: Update, Object: m, NewVersion: true}, b.s.Storage.Revision()+1, b.now)
		b.s.Due()
		b.s.Take()
	}
	for range 20_000 {
		round()
	}
	if n := testing.AllocsPerRun(20_000, round); n > 0 {
		t.Errorf("serving a change allocates %v times", n)
	}
	if len(b.s.Storage.etcd.log) > 4000 {
		t.Errorf("%d changes are kept", len(b.s.Storage.etcd.log))
	}
}
