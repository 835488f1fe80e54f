// Package mutation is client-go's mutation cache (tools/cache/mutation_cache.go) as
// pure data: what a controller wrote stands in front of its store until the store has
// come as far, or until its time is over. Times are nanoseconds of virtual time.
package mutation

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// Options are MutationCacheOptions.
type Options struct {
	TTL         int64 // nanoseconds; 0 is 5 minutes
	IncludeAdds bool  // objects that the store doesn't have are returned, too
	MaxSize     int   // 0 is 100 entries

	Gates
}

// Gates is what client-go's versions do differently.
type Gates struct {
	AddsMissing bool // ByIndex with IncludeAdds returns a kept object that the index lists and the store no longer has; from v0.38
}

// Store is the store behind the cache.
type Store interface {
	GetByKey(object.Key) (object.Ref, bool)
}

// Index is one index of the store for ByIndex.
type Index interface {
	// IndexKeys appends the keys of the objects that the store has under value.
	IndexKeys(value string, dst []object.Key) []object.Key
	// Has reports whether the index function puts obj under value. If the function
	// fails, it doesn't.
	Has(obj object.Ref, value string) bool
}

// Entry is an object in the LRU cache, or the tombstone of one.
type Entry struct {
	Key       object.Key
	Obj       object.Ref // a tombstone has its namespace, name, uid and resourceVersion
	Tombstone bool       // the store saw that Obj was deleted
	Expires   int64      // from then on it counts for nothing; nobody removes it before it is touched
}

// Cache is MutationCache.
type Cache struct {
	t *object.Table
	Options
	lru []Entry // the least recently used first
}

// New returns an empty Cache. The keys and objects are t's.
func New(t *object.Table, o Options) *Cache {
	if o.TTL == 0 {
		o.TTL = 300e9
	}
	if o.MaxSize == 0 {
		o.MaxSize = 100
	}
	return &Cache{t: t, Options: o}
}

// CopyFrom makes c equal to src.
func (c *Cache) CopyFrom(src *Cache) {
	lru := append(c.lru[:0], src.lru...)
	*c = *src
	c.lru = lru
}

// Clone returns a copy that changes on its own.
func (c *Cache) Clone() *Cache {
	n := new(Cache)
	n.CopyFrom(c)
	return n
}

// LRU returns the entries, the least recently used first. The caller must not change
// them.
func (c *Cache) LRU() []Entry { return c.lru }

// Mutation keeps an object that the caller wrote, unless a newer one is kept or its
// deletion was seen. An error is what the real one panics with: a resourceVersion that
// is no number can't be compared.
func (c *Cache) Mutation(obj object.Ref, now int64) error {
	k := c.t.KeyOf(obj)
	if k == 0 {
		return nil // no key can be made of it
	}
	if e, ok := c.get(k, now); ok {
		order, err := c.compare(obj, e.Obj)
		switch {
		case err != nil:
			return err
		case order < 0:
			return nil
		case e.Tombstone && (order == 0 || c.t.Meta(e.Obj).UID == c.t.Meta(obj).UID):
			return nil
		}
	}
	c.add(Entry{Key: k, Obj: obj}, now)
	return nil
}

// GetByKey returns the newer one of the store's object and the kept one. With
// IncludeAdds, an object that only the cache has is compared with itself, and so it is
// removed when it is read for the first time. The error is Mutation's. In ret,
// tombstone is set if the store has an object that is older than its own deletion.
func (c *Cache) GetByKey(k object.Key, s Store, now int64) (ret Entry, exists bool, err error) {
	obj, exists := s.GetByKey(k)
	if !exists {
		e, kept := Entry{}, false
		if c.IncludeAdds {
			e, kept = c.get(k, now)
		}
		if !kept || e.Tombstone {
			return Entry{}, false, nil
		}
		obj = e.Obj
	}
	ret, err = c.newer(k, obj, now)
	return ret, err == nil, err
}

// ByIndex appends the objects that the store has under a value of an index. Where a
// newer one is kept, that takes its place, even if it no longer matches. With
// IncludeAdds, the kept objects that match come after them. The store may lose an object
// after its index has listed it: see Gates. The error is Mutation's.
func (c *Cache) ByIndex(x Index, value string, s Store, now int64, dst []Entry) ([]Entry, error) {
	keys := x.IndexKeys(value, nil)
	listed := make([]object.Key, 0, len(keys)) // not to be added again
	for _, k := range keys {
		obj, exists := s.GetByKey(k)
		if exists || !c.AddsMissing {
			listed = append(listed, k)
		}
		if !exists {
			continue
		}
		e, err := c.newer(k, obj, now)
		if err != nil {
			return dst, err
		}
		dst = append(dst, e)
	}
	if !c.IncludeAdds {
		return dst, nil
	}
	for _, e := range slices.Clone(c.lru) {
		if now > e.Expires {
			continue
		}
		c.get(e.Key, now)
		if !e.Tombstone && !slices.Contains(listed, e.Key) && x.Has(e.Obj, value) {
			dst = append(dst, e)
		}
	}
	return dst, nil
}

// newer follows newerObject: it returns the kept one if that is newer than the store's. If not, it is
// removed.
func (c *Cache) newer(k object.Key, stored object.Ref, now int64) (Entry, error) {
	e, ok := c.get(k, now)
	if !ok {
		return Entry{Key: k, Obj: stored}, nil
	}
	order, err := c.compare(stored, e.Obj)
	if err != nil || order < 0 {
		return e, err
	}
	c.remove(k)
	return Entry{Key: k, Obj: stored}, nil
}

// OnAddOrUpdate tells the cache of an event: the kept object goes if the event's is as
// new. The error is Mutation's.
func (c *Cache) OnAddOrUpdate(obj object.Ref, now int64) error {
	k := c.t.KeyOf(obj)
	if k == 0 {
		return nil
	}
	if e, ok := c.get(k, now); ok {
		order, err := c.compare(obj, e.Obj)
		if err != nil {
			return err
		}
		if order >= 0 {
			c.remove(k)
		}
	}
	return nil
}

// OnDelete tells the cache of a delete event. It leaves a tombstone, so that
// a late Mutation is ignored, unless the cache keeps a newer object with another uid. The
// error is Mutation's.
func (c *Cache) OnDelete(obj object.Ref, now int64) error {
	k := c.t.KeyOf(obj)
	if k == 0 {
		return nil
	}
	if e, ok := c.get(k, now); ok {
		order, err := c.compare(obj, e.Obj)
		if err != nil {
			return err
		}
		if order < 0 && c.t.Meta(e.Obj).UID != c.t.Meta(obj).UID {
			return nil
		}
		c.remove(k)
	}
	c.add(Entry{Key: k, Obj: obj, Tombstone: true}, now)
	return nil
}

// compare orders two objects by their resourceVersions, as numbers.
func (c *Cache) compare(a, b object.Ref) (int, error) {
	x, err := c.number(a)
	if err != nil {
		return 0, err
	}
	y, err := c.number(b)
	if err != nil || x == y {
		return 0, err
	}
	if x < y {
		return -1, nil
	}
	return 1, nil
}

// number follows ObjectResourceVersion: "" is 0, and leading zeros count for nothing.
func (c *Cache) number(obj object.Ref) (uint64, error) {
	rv := c.t.RVOf(obj)
	if rv == 0 {
		return 0, nil
	}
	if n, ok := rv.Number(); ok {
		return n, nil
	}
	return strconv.ParseUint(c.t.RVText(rv), 10, 64)
}

func (c *Cache) find(k object.Key) int {
	return slices.IndexFunc(c.lru, func(e Entry) bool { return e.Key == k })
}

// get follows LRUExpireCache.Get: it makes the entry the most recently used one, and
// removes it if its time is over.
func (c *Cache) get(k object.Key, now int64) (Entry, bool) {
	i := c.find(k)
	if i < 0 {
		return Entry{}, false
	}
	e := c.lru[i]
	c.lru = slices.Delete(c.lru, i, i+1)
	if now > e.Expires {
		return Entry{}, false
	}
	c.lru = append(c.lru, e)
	return e, true
}

// add follows LRUExpireCache.Add. If the cache is full, the least recently used entry goes,
// even if another one's time is over.
func (c *Cache) add(e Entry, now int64) {
	if i := c.find(e.Key); i >= 0 {
		c.lru = slices.Delete(c.lru, i, i+1)
	} else if len(c.lru) >= c.MaxSize {
		c.lru = slices.Delete(c.lru, 0, 1)
	}
	e.Expires = actor.After(now, c.TTL)
	c.lru = append(c.lru, e)
}

func (c *Cache) remove(k object.Key) {
	if i := c.find(k); i >= 0 {
		c.lru = slices.Delete(c.lru, i, i+1)
	}
}

// Hash adds the entries at the time now.
func (c *Cache) Hash(h *actor.Hash, now int64) {
	h.Add(uint64(len(c.lru)))
	for _, e := range c.lru {
		h.Add(uint64(e.Obj))
		h.Bool(e.Tombstone)
		h.Due(e.Expires, now-1)
	}
}
