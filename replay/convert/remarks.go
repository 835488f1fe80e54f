package convert

import (
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// The remarks that a converted trace may carry: what must be known to read it
// rightly. The page has a sentence for each in its languages.
const (
	// NoDeletions: bare objects don't tell when they are deleted.
	NoDeletions = "noDeletions"
	// TypesWorkedOut: whether an object was added or modified was worked out
	// from its uid and resourceVersion.
	TypesWorkedOut = "typesWorkedOut"
	// VersionsMadeUp: the format has no resourceVersions; they were made up.
	VersionsMadeUp = "versionsMadeUp"
	// DumpDifferences: the events are the differences between dumps, so what
	// happened between two of them and was undone is not seen.
	DumpDifferences = "dumpDifferences"
	// DumpScope: objects are missing from a later list, which may be because of its
	// namespace, selector or kind.
	DumpScope = "dumpScope"
	// OlderLists: lists that are older than the one before.
	OlderLists = "olderLists"
	// PagesMissing: of a list in pages the last ones are not there.
	PagesMissing = "pagesMissing"
	// PassedOver: files in folders and archives that are no captures.
	PassedOver = "passedOver"
	// LogsPassed: logs of containers in what kubectl cluster-info dump prints.
	LogsPassed = "logsPassed"
	// LinesAbove: lines above the first value, such as a prompt or a warning.
	LinesAbove = "linesAbove"
	// LineTimes: the times are those that stood before each line.
	LineTimes = "lineTimes"
	// LineTimesLocal: these lack a date, a year or a zone.
	LineTimesLocal = "lineTimesLocal"
	// OffsetsOnly: times are given as offsets from a beginning that isn't known.
	OffsetsOnly = "offsetsOnly"
	// MergePatched: patches were applied without knowing the kind.
	MergePatched = "mergePatched"
	// WholeSeconds: times are whole seconds.
	WholeSeconds = "wholeSeconds"
	// AppliedOnly: whether an object was added or modified was worked out from
	// what was there.
	AppliedOnly = "appliedOnly"
	// NoPods: pods that controllers make are not recorded.
	NoPods = "noPods"
	// TableColumns: of the objects there are their metadata and columns only.
	TableColumns = "tableColumns"
	// TableNoObjects: there are columns only.
	TableNoObjects = "tableNoObjects"
	// MetadataOnly: of the objects there are their metadata only.
	MetadataOnly = "metadataOnly"
	// KlogNoWatches: kubectl's log has no watch events.
	KlogNoWatches = "klogNoWatches"
	// KlogCut: bodies that kubectl shortened in its log.
	KlogCut = "klogCut"
	// HARSpread: the times of watch events are made up.
	HARSpread = "harSpread"
	// HARNoBody: answers whose bodies aren't in the HAR.
	HARNoBody = "harNoBody"
	// SimulatorInformer: the events were written by an informer.
	SimulatorInformer = "simulatorInformer"
	// SieveCalls: what the controller's informers heard is shown as calls.
	SieveCalls = "sieveCalls"
	// SieveMarks: notes of what a controller did that are left out.
	SieveMarks = "sieveMarks"
	// AuditAnswers: the events of an audit log are worked out.
	AuditAnswers = "auditAnswers"
	// AuditMetadata: changes were logged at level Metadata.
	AuditMetadata = "auditMetadata"
	// AuditRequest: changes were logged at level Request.
	AuditRequest = "auditRequest"
	// AuditNameless: it isn't logged which objects were changed.
	AuditNameless = "auditNameless"
	// AuditUnseen: what a subresource changed isn't in its answer.
	AuditUnseen = "auditUnseen"
	// AuditNoObjects: the whole log is of level Metadata.
	AuditNoObjects = "auditNoObjects"
	// AuditNoVersion: deletions whose resourceVersion isn't logged.
	AuditNoVersion = "auditNoVersion"
	// AuditVanished: objects whose deletion isn't logged, but that weren't found later.
	AuditVanished = "auditVanished"
	// AuditEvents: Events were written in the group events.k8s.io.
	AuditEvents = "auditEvents"
	// AuditNoObject: deleted objects that nothing else is known about.
	AuditNoObject = "auditNoObject"
	// AuditBeforeList: changes that the first list has in it already.
	AuditBeforeList = "auditBeforeList"
	// AuditLate: changes that were logged too late to be put in order.
	AuditLate = "auditLate"
)

// remarks are what they say, in English; {detail} and {count} stand for theirs.
var remarks = map[string]string{
	trace.VersionsBack:       "{count} watch events of {detail} have a lower resourceVersion than one before them. They are played in the order of the capture, which is not the API server's.",
	trace.VersionsNotNumbers: "{count} watch events of {detail} have a resourceVersion that is not a number. client-go only compares such resourceVersions for being equal.",

	NoDeletions:       "Bare objects were recorded, without watch events: deletions can't be seen. With --output-watch-events kubectl get -w writes them.",
	TypesWorkedOut:    "Bare objects were recorded, without watch events: whether one was added or modified is worked out from its uid and resourceVersion.",
	VersionsMadeUp:    "The format has no resourceVersions: they are made up, in the order of the events.",
	DumpDifferences:   "The events are the differences between {count} dumps: what came and went between two of them can't be seen.",
	DumpScope:         "{count} objects are missing from a later list. That list may be of another namespace, selector or kind, so they are shown as still there. A watch would say whether they were deleted.",
	OlderLists:        "{count} lists have a lower resourceVersion than the list before them. No object is deleted because of them.",
	PagesMissing:      "The last pages of the list of {detail} are missing: it is shown as if it ended there.",
	PassedOver:        "{count} files in the folder or archive are not captures. They were skipped.",
	LinesAbove:        "{count} lines above the first object were skipped, such as a prompt or a warning.",
	LogsPassed:        "{count} logs of containers were skipped.",
	LineTimes:         "Each line had a time before it. It says when the line was printed, not when the API server sent it.",
	LineTimesLocal:    "The times before the lines have no date, no year or no time zone. The intervals are true, but when the capture began isn't known.",
	OffsetsOnly:       "The recording doesn't say when it was made: timestamps in objects are reckoned as if it began at {detail}.",
	MergePatched:      "What is a list in {detail} was replaced by each patch: only of Kubernetes' own kinds it is known how to merge lists.",
	WholeSeconds:      "Times are whole seconds: what happened in one second is in the order of the file.",
	AppliedOnly:       "Objects were recorded as applied: whether one was added or modified is worked out from what was there before.",
	NoPods:            "SimKube leaves out the pods that controllers make, so there are no pods here.",
	TableColumns:      "Tables were recorded, as kubectl asks for to show them: of the objects there are their metadata and the columns, and not of which kind they are. With Accept: application/json, or kubectl -o json, there is all of them.",
	TableNoObjects:    "Tables without objects were recorded (includeObject=None): objects are told apart by the name in the first column, so those of one name in several namespaces are one. With Accept: application/json, or kubectl -o json, there is all of them.",
	MetadataOnly:      "PartialObjectMetadata was recorded: of the objects there are their metadata only, and not of which kind they are. With Accept: application/json there is all of them.",
	KlogNoWatches:     "A log of kubectl -v=9 or -v=10 holds the bodies of lists, and of watches none: their events are not in it. With --output-watch-events -o json kubectl get -w writes them, or kubectl get --raw '/api/v1/pods?watch=1'.",
	KlogCut:           "kubectl shortened {count} bodies in its log: of the lists only the first items are there. -v=10 writes them whole.",
	HARSpread:         "A HAR tells when the answer to a watch began and ended, but not when each event came: they are spread evenly between.",
	HARNoBody:         "The HAR is without the bodies of {count} lists and watches: save it with content, after the watches have ended.",
	SimulatorInformer: "The kube-scheduler-simulator records what comes out of an informer, not what went in: resyncs are left out, and bookmarks, relists and closed watches are not in it; a deleted object is shown as it was last seen.",
	SieveCalls:        "Sieve's log holds what the controller's informers heard: it is shown as the calls of a handler, beside those of the engine.",
	SieveMarks:        "{count} of Sieve's lines about reconciles, writes and reads are left out: only the first ones are shown as marks.",
	AuditAnswers:      "An audit log has no watch events: they are worked out from the answers to requests that changed something. The time is when the API server had answered.",
	AuditMetadata:     "{count} changes were logged at level Metadata: which object was touched and when is known, but not what it looked like, nor its resourceVersion, nor when a deleted one was gone. With level: RequestResponse in the audit policy answers are logged.",
	AuditRequest:      "{count} changes were logged at level Request: they are shown as they were asked for, before defaults and admission, without resourceVersion, and patches without their effect. With level: RequestResponse in the audit policy answers are logged.",
	AuditNameless:     "{count} requests were logged without the names of the objects that they changed, and can't be shown.",
	AuditUnseen:       "{count} answers hold no object (bindings, evictions, tokens and the like): what they changed is seen in the next answer only.",
	AuditNoObject:     "{count} objects were deleted of which nothing but the name is known.",
	AuditNoObjects:    "The log is of level Metadata, so it holds no objects. For {count} changes it says which object was changed and when. To log answers, set level: RequestResponse in the audit policy.",
	AuditNoVersion:    "{count} deletions were answered without a resourceVersion. They are shown with the highest one that was known by then.",
	AuditVanished:     "{count} objects were not found any more, although the log doesn't say that they were deleted. They are shown as deleted at that moment.",
	AuditEvents:       "{count} requests changed Events in the group events.k8s.io. They are the same objects as the Events of v1, and are shown as a watch of v1 gets them.",
	AuditBeforeList:   "{count} changes from before the first list are in it already, and not shown one by one.",
	AuditLate:         "{count} changes were logged too late to be put in order, and are left out.",
}

// Sentence is a remark in English.
func Sentence(id string, count int64, detail string) string {
	s, ok := remarks[id]
	if !ok {
		return strings.TrimSpace(id + " " + detail)
	}
	return strings.NewReplacer("{count}", itoa(count), "{detail}", detail).Replace(s)
}

// RemarkIDs returns all of them, for the catalogue of another language.
func RemarkIDs() []string {
	var ids []string
	for id := range remarks {
		ids = append(ids, id)
	}
	return ids
}
