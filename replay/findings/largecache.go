package findings

import (
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// largeCache looks for caches of 10 MB of JSON. A process takes several times as many bytes for the same objects, so this is
// where a resource begins to count among what a manager is given. What fills it is told by fields, of a sample of the objects.
type largeCache struct {
	base
	max      int64 // bytes
	objects  int
	time     Moment
	arrived  int64 // objects that have come
	interval int64 // one of so many is weighed
	weighed  int64
	bytes    int64 // of those
	fields   map[string]int64
}

// The threshold: bytes of JSON.
const cacheOf = 10_000_000

// One object of 32 is weighed, and after so many one of twice as many, and so on.
const weighedFirst, weighedBy = 32, 100

// A finding names the fields that take at least one byte of so many.
const fieldOf = 5

func (c *largeCache) record(x *reading, rec *trace.Record) {
	if s := &x.server; s.bytes > c.max {
		c.max, c.objects, c.time = s.bytes, s.number, x.now(rec)
	}
	if rec.Kind != trace.ListItem && rec.Kind != trace.WatchEvent || rec.Obj == 0 || rec.Type == trace.TypeDeleted {
		return
	}
	c.interval = max(c.interval, weighedFirst)
	if c.arrived++; c.arrived%c.interval != 1 {
		return
	}
	raw := x.raw(rec)
	if raw == nil {
		return
	}
	if c.fields == nil {
		c.fields = map[string]int64{}
	}
	eachField(raw, "", fieldsDeep-1, func(path string, value []byte) bool {
		if above, _, _ := strings.Cut(path, "."); above != "metadata" && above != "spec" && above != "status" {
			path = above // what is in other fields has names that users choose
		}
		if _, ok := c.fields[path]; ok || len(c.fields) < mostFields {
			c.fields[path] += int64(len(value))
		}
		return true
	})
	c.bytes += int64(len(raw))
	if c.weighed++; c.weighed%weighedBy == 0 {
		c.interval *= 2
	}
}

func (c *largeCache) find(x *reading) []Finding {
	if c.max < cacheOf {
		return nil
	}
	all := int64(0)
	for _, reading := range x.pass.readings {
		all += stateOf[*largeCache](reading).max
	}
	f := Finding{
		From: c.time, To: c.time,
		Counts: []Count{x.count("objects", int64(c.objects)), {Name: "bytes", N: c.max, Unit: Bytes, AtLeast: x.lossy()}, {Name: "share", N: c.max * 100 / all, Unit: Percent}},
	}
	for path, n := range c.fields {
		if n*fieldOf >= c.bytes {
			f.Fields = append(f.Fields, Field{path, n * 100 / c.bytes})
		}
	}
	f.Fields = highest(f.Fields)
	return []Finding{f}
}
