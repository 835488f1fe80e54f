package audit

import (
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/remarks"
)

// counts are of the events of a log, for the remarks.
type counts struct {
	answers       int64 // events that say what was answered
	others        int64 // that are of no change
	unseen        int64 // of changes that no answer shows
	nameless      int64 // that name no object
	metadata      int64 // of the level Metadata
	request       int64 // of the level Request
	before        int64 // older than the list
	late          int64 // that came after a later one was written
	bodiless      int64 // changes whose object is not in the log
	unversioned   int64 // changes whose resourceVersion is made up
	vanished      int64 // deletions that are known only because a request was answered with 404
	inGroup       int64 // Events of events.k8s.io
	aboveMetadata bool  // there was an event of another level than Metadata
}

// nothing says why a log has no change.
func (n *counts) nothing() error {
	if !n.aboveMetadata && n.answers > 0 {
		return fault.Plain("auditNoObjects")
	}
	return fault.Number("auditNoAnswers n", n.others+n.unseen+n.nameless)
}

// tell remarks on what the log lacks. What is missing altogether comes first.
func (n *counts) tell(c *capture.Conversion) error {
	noObjects, metadata := int64(0), n.metadata
	if !n.aboveMetadata {
		noObjects, metadata = metadata, 0
	}
	for _, r := range []struct {
		id string
		n  int64
	}{
		{remarks.AuditNoObjects, noObjects},
		{remarks.AuditMetadata, metadata},
		{remarks.AuditRequest, n.request},
		{remarks.AuditAnswers, 0},
		{remarks.AuditNameless, n.nameless},
		{remarks.AuditUnseen, n.unseen},
		{remarks.AuditNoObject, n.bodiless},
		{remarks.AuditNoVersion, n.unversioned},
		{remarks.AuditVanished, n.vanished},
		{remarks.AuditEvents, n.inGroup},
		{remarks.AuditBeforeList, n.before},
		{remarks.AuditLate, n.late},
	} {
		if r.n > 0 || r.id == remarks.AuditAnswers {
			if err := c.Remark(r.id, r.n, ""); err != nil {
				return err
			}
		}
	}
	return nil
}
