package apiserver

import "github.com/informerscope/informerscope/engine/object"

// Versions finds the rows of object versions that a simulated server writes:
// the same content at the same resourceVersion is the same row, whichever copy
// of the world writes it. The copies share the Versions.
type Versions struct {
	t    *object.Table
	rows map[object.Meta]object.Ref
}

// NewVersions returns the versions of a table.
func NewVersions(t *object.Table) *Versions {
	return &Versions{t, map[object.Meta]object.Ref{}}
}

// At returns the row of content m at a revision.
func (v *Versions) At(m object.Meta, rev int64) object.Ref {
	m.Key, m.RV = 0, object.NumberRV(uint64(rev))
	if r, ok := v.rows[m]; ok {
		return r
	}
	r := v.t.Add(m)
	v.rows[m] = r
	return r
}
