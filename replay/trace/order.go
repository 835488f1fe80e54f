package trace

import "github.com/informerscope/informerscope/engine/object"

// The Remarks that are made without package convert, which has their sentences.
const (
	// VersionsBack: a watch sent resourceVersions that were lower than one before.
	VersionsBack = "versionsBack"
	// VersionsNotNumbers: there are resourceVersions that are not numbers as etcd counts.
	VersionsNotNumbers = "versionsNotNumbers"
	// PagesMissing: the last pages of a list are missing.
	PagesMissing = "pagesMissing"
	// BaseMade: the recording begins later than the watch of a resource, and the list before it is made.
	BaseMade = "baseMade"
	// MetadataAlone: of a resource's objects the recorder has kept the metadata and nothing else.
	MetadataAlone = "metadataAlone"
)

// Order looks whether the resourceVersions of a watch go up, as the API server counts
// them. It passes over those of ADDED, because the initial events of a watch are in
// no order.
type Order struct{ newest uint64 }

// Check returns the ID of the Remark to make about the resourceVersion of a
// watch event, "" for none. number is false where it is no number.
func (o *Order) Check(added bool, rv uint64, number bool) string {
	switch {
	case !number:
		return VersionsNotNumbers
	case added:
		return ""
	case rv < o.newest:
		return VersionsBack
	}
	o.newest = rv
	return ""
}

// order makes the Remark that there is to make about an event's resourceVersion.
func (r *Resource) order(rec *Record) {
	if rec.RV == 0 || r.trace.worked {
		return
	}
	n, number := rec.RV.Number()
	if id := r.gaps.order.Check(rec.Type == TypeAdded, n, number); id != "" {
		r.trace.AddRemark(Remark{ID: id, Count: 1, Detail: r.Resource})
	}
}

// listed makes the Remark that there is to make about the resourceVersion of a list, or
// of an item of one.
func (r *Resource) listed(rv object.RV) {
	if _, number := rv.Number(); !number && rv != 0 {
		r.trace.AddRemark(Remark{ID: VersionsNotNumbers, Count: 1, Detail: r.Resource})
	}
}
