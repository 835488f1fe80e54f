// Package remarks has what must be known to read a converted trace rightly: an identifier
// and an English sentence for each remark. The page has a sentence for each in its languages.
package remarks

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/sentence"
	"github.com/informerscope/informerscope/replay/trace"
)

// The remarks that a converted trace may carry.
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
	// PassedOver: files in folders and archives that are no captures.
	PassedOver = "passedOver"
	// LogsPassed: logs of containers in what kubectl cluster-info dump prints.
	LogsPassed = "logsPassed"
	// LinesAbove: lines above the first value, such as a prompt or a warning.
	LinesAbove = "linesAbove"
	// FirstByPause: the first list is what kubectl printed before its first pause.
	FirstByPause = "firstByPause"
	// Arrivals: the times are those at which the capture was read while it was written.
	Arrivals = "arrivals"
	// LineTimes: the times are those that stood before each line.
	LineTimes = "lineTimes"
	// LineTimesLocal: these lack a date, a year or a zone.
	LineTimesLocal = "lineTimesLocal"
	// FieldTimes: the times are those that stand beside the events.
	FieldTimes = "fieldTimes"
	// LinesPassed: lines of a wrapped capture without anything of it.
	LinesPassed = "linesPassed"
	// ValuesPassed: values that are nothing of a capture.
	ValuesPassed = "valuesPassed"
	// LogsNamed: logs among other files, which were not read.
	LogsNamed = "logsNamed"
	// KindFromObject, KindFromShape, KindFromName and KindInferred: the kind of objects that don't say it was found in
	// what was applied, in their fields, in the name of the file, or in the other objects.
	KindFromObject = "kindFromObject"
	KindFromShape  = "kindFromShape"
	KindFromName   = "kindFromName"
	KindInferred   = "kindFromOthers"
	// PythonNames: the names of fields are those of the Python client.
	PythonNames = "pythonNames"
	// TypesReadAs: events have another type than those of a watch.
	TypesReadAs = "typesReadAs"
	// Admission: the events are what admission webhooks were asked.
	Admission = "admission"
	// GoogleAudit: the audit log is one of Google's.
	GoogleAudit = "googleAudit"
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
	// SieveCalls: what the controller's informers heard is shown as calls. Traces have it that were converted from logs of
	// Sieve, which are not read any more.
	SieveCalls = "sieveCalls"
	// SieveMarks: notes of what a controller did that are left out, in such a trace.
	SieveMarks = "sieveMarks"
	// LogTimes: the times of a log have no year and no zone.
	LogTimes = "logTimes"
	// LogOutside: entries of a log from before or after the capture.
	LogOutside = "logOutside"
	// LogMore: entries of a log that there is no room for.
	LogMore = "logMore"
	// SeriesOutside: measured series from before the capture.
	SeriesOutside = "seriesOutside"
	// SeriesMore: measured series that there is no room for.
	SeriesMore = "seriesMore"
	// SeriesTimeless: series whose samples have no time.
	SeriesTimeless = "seriesTimeless"
	// SamplesOdd: samples that are no numbers.
	SamplesOdd = "samplesOdd"
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

// sentences are those of the remarks in English. {detail} and {count} stand for a remark's own,
// and {count|one:A|other:B} for A if the count is 1, and for B if it isn't. The English
// catalogue of the page has the same sentences.
var sentences = map[string]string{
	trace.ValuesRemark:       "The file is for its owner: it has values. No rules find every secret, so share what informerscope redact makes of it, or Save with “to share”.",
	trace.VersionsBack:       "{count} watch {count|one:event|other:events} of {detail} {count|one:has|other:have} a lower resourceVersion than an earlier one. Events are played in the order of the capture, which is not the API server's.",
	trace.VersionsNotNumbers: "{count} {count|one:resourceVersion|other:resourceVersions} of {detail} {count|one:is|other:are} not a number as etcd counts, which is whole, positive and below 2⁶³. Up to v0.35, client-go only tells whether two such resourceVersions are equal.",

	NoDeletions:         "Bare objects were recorded, without watch events, so deletions can't be seen. kubectl get -w writes them with --output-watch-events.",
	TypesWorkedOut:      "Bare objects were recorded, without watch events. Whether an object was added or modified is worked out from its uid and resourceVersion.",
	VersionsMadeUp:      "The format has no resourceVersions. They are made up, in the order of the events.",
	DumpDifferences:     "The events are the differences between {count} {count|one:dump|other:dumps}. An object that came and went between two dumps can't be seen.",
	DumpScope:           "{count} {count|one:object is|other:objects are} missing from a later list. That list may be of another namespace, selector or kind, so {count|one:the object is|other:these objects are} shown as still there. Only a watch could say whether {count|one:it was|other:they were} deleted.",
	OlderLists:          "{count} {count|one:list has|other:lists have} a lower resourceVersion than the list before. No object is deleted because of that.",
	trace.BaseMade:      "The recording begins in the middle of a watch of {detail}. The list before it is not what the API server sent: it is made of the {count} {count|one:object|other:objects} that the recorder remembered, with their metadata alone.",
	trace.MetadataAlone: "The controller gets {detail} in protobuf or CBOR. Of these objects the metadata was recorded and nothing else. To record whole objects, set AskJSON in record.Options.",
	trace.PagesMissing:  "The last pages of the list of {detail} are missing. It is shown as if it ended there.",
	PassedOver:          "{count} {count|one:file in the folder or archive is not a capture, and was|other:files in the folder or archive are not captures, and were} skipped.",
	trace.LinesBetween:  "{count} {count|one:line|other:lines} between or after the objects, such as a prompt or a warning, {count|one:was|other:were} skipped.",
	FieldTimes:          "Each event has the time that stands beside it in the capture. It says when the client wrote it down, not when the API server sent it.",
	LinesPassed:         "{count} {count|one:line holds|other:lines hold} nothing of the capture, and {count|one:was|other:were} skipped.",
	ValuesPassed:        "{count} {count|one:value is|other:values are} no event, object or list, such as what the API server says of its resources, and {count|one:was|other:were} skipped.",
	LogsNamed:           "{count} {count|one:log was|other:logs were} not read: {detail}. To lay a log over the capture, open the two together.",
	KindFromObject:      "Some objects don't say their kind. That it is {detail} is taken from the annotation that kubectl apply has made.",
	KindFromShape:       "Some objects don't say their kind. That it is {detail} is taken from their fields.",
	KindFromName:        "Some objects don't say their kind. That it is {detail} is taken from the name of the file or folder.",
	KindInferred:        "Some objects don't say their kind. That it is {detail} is taken from the other objects in the file.",
	PythonNames:         "The fields have the names that the Python client gives them. They are written here as the API server names them, without those that are null.",
	TypesReadAs:         "Events have the type {detail}, which no watch sends. They are read as the types of watch events.",
	Admission:           "The events are what an admission webhook was asked. A request may have been refused after that, and an object that is created has no resourceVersion yet. Dry runs are left out.",
	GoogleAudit:         "The log is of Google's Cloud Audit Logs. Their methods and status codes are written as those of the API server. Reads are in it only where Data Access logs are on.",
	LinesAbove:          "{count} {count|one:line|other:lines} above the first object, such as a prompt or a warning, {count|one:was|other:were} skipped.",
	LogsPassed:          "{count} container {count|one:log was|other:logs were} skipped.",
	FirstByPause:        "kubectl doesn't print where its first list ends. The {count} {count|one:object that it printed before its first pause is|other:objects that it printed before its first pause are} shown as that list.",
	Arrivals:            "Each event has the time at which informerscope read it, which is later than the API server sent it.",
	LineTimes:           "Each line had a time before it. It says when the line was printed, not when the API server sent it.",
	LineTimesLocal:      "The times before the lines have no date, no year or no time zone. The intervals are true, but when the capture began isn't known.",
	OffsetsOnly:         "The recording doesn't say when it was made. Timestamps in objects are computed as if it began at {detail}.",
	MergePatched:        "In {detail}, each patch replaced whole lists. How lists are merged is known only for Kubernetes' own kinds.",
	WholeSeconds:        "Times are whole seconds. Events of the same second are in the order of the file.",
	AppliedOnly:         "Objects were recorded as they were applied. Whether an object was added or modified is worked out from what was there before.",
	NoPods:              "SimKube leaves out the pods that controllers make, so there are no pods here.",
	TableColumns:        "Tables were recorded, which kubectl asks for to print them. They hold the metadata of the objects and the columns, but not the kind or anything else. To get whole objects, send Accept: application/json, or use kubectl -o json.",
	TableNoObjects:      "Tables without objects were recorded (includeObject=None). Objects are told apart by the name in the first column, so objects of one name in several namespaces become one. To get whole objects, send Accept: application/json, or use kubectl -o json.",
	MetadataOnly:        "PartialObjectMetadata was recorded: the metadata of the objects, but not their kind or anything else. To get whole objects, send Accept: application/json.",
	KlogNoWatches:       "A log of kubectl -v=9 or -v=10 holds the bodies of lists but not those of watches, so it has no watch events. kubectl get -w --output-watch-events -o json writes them, and so does kubectl get --raw '/api/v1/pods?watch=1'.",
	KlogCut:             "kubectl shortened {count} response {count|one:body|other:bodies} in its log, so only the first items of {count|one:that list|other:those lists} are here. kubectl -v=10 writes whole bodies.",
	HARSpread:           "A HAR says when the answer to a watch began and ended, but not when each event came. The events are spread evenly in between.",
	HARNoBody:           "The HAR has {count} {count|one:list or watch|other:lists and watches} without a body. Save it with content, after the watches have ended.",
	SimulatorInformer:   "The kube-scheduler-simulator records what comes out of an informer, and not what goes in. Resyncs are left out. Bookmarks, relists and closed watches are not in the file. A deleted object is shown as it was last seen.",
	SieveCalls:          "Sieve's log holds what the controller's informers heard. It is shown as the calls of a handler, beside the engine's calls.",
	SieveMarks:          "{count} of Sieve's lines about reconciles, writes and reads {count|one:is|other:are} left out. Only the first ones are shown, as marks.",
	LogTimes:            "The times in {detail} have no time zone, and perhaps no year. They are read as UTC. kubectl logs --timestamps puts whole times before the lines.",
	LogOutside:          "{count} {count|one:entry|other:entries} of {detail} {count|one:is|other:are} left out, because {count|one:it was|other:they were} logged before the recording began or after it ended.",
	LogMore:             "{count} {count|one:entry|other:entries} of {detail} {count|one:is|other:are} left out, because there are too many.",
	SeriesOutside:       "{count} series of {detail} {count|one:is|other:are} left out, because none of {count|one:its|other:their} samples is from after the beginning of the recording.",
	SeriesMore:          "{count} series of {detail} {count|one:is|other:are} left out, because there are too many.",
	SeriesTimeless:      "{count} series of {detail} {count|one:has|other:have} no times, because a program doesn't write when it exposes its metrics. Each is shown as if it was measured when the recording began. To place them in time, put a time before each line (curl …/metrics | ts '%Y-%m-%dT%H:%M:%.SZ'), or ask Prometheus for a range.",
	SamplesOdd:          "{count} {count|one:sample|other:samples} of {detail} {count|one:is|other:are} left out, because {count|one:it is|other:they are} NaN or infinite.",
	AuditAnswers:        "An audit log has no watch events. They are worked out from the answers to requests that changed something, and each has the time of the API server's answer.",
	AuditMetadata:       "{count} {count|one:change was|other:changes were} logged at level Metadata. The log says which object was changed and when. It doesn't have the object, its resourceVersion, or the time at which a deleted object was gone. To log answers, set level: RequestResponse in the audit policy.",
	AuditRequest:        "{count} {count|one:change was logged at level Request, and is shown as it was|other:changes were logged at level Request, and are shown as they were} asked for: before defaults and admission, without a resourceVersion, and for a patch without its effect. To log answers, set level: RequestResponse in the audit policy.",
	AuditNameless:       "{count} {count|one:request was|other:requests were} logged without the name of the object that was changed, and can't be shown.",
	AuditUnseen:         "{count} {count|one:answer holds|other:answers hold} no object (bindings, evictions, tokens and the like). What changed is first seen in the next answer.",
	AuditNoObject:       "{count} {count|one:object was|other:objects were} deleted. Only {count|one:its name is|other:their names are} known.",
	AuditNoObjects:      "The log is of level Metadata, so it holds no objects. For {count} {count|one:change|other:changes}, it says which object was changed and when. To log answers, set level: RequestResponse in the audit policy.",
	AuditNoVersion:      "{count} {count|one:deletion was|other:deletions were} answered without a resourceVersion, and {count|one:is|other:are} shown with the highest one that was known by then.",
	AuditVanished:       "{count} {count|one:object was|other:objects were} not found any more, although the log has no deletion. {count|one:The object is|other:They are} shown as deleted at that moment.",
	AuditEvents:         "{count} {count|one:request|other:requests} changed Events in the group events.k8s.io. These are the same objects as the Events of v1, and are shown as a watch of v1 gets them.",
	AuditBeforeList:     "{count} {count|one:change|other:changes} happened before the first list. The list contains {count|one:it, so it is not shown by itself|other:them, so they are not shown one by one}.",
	AuditLate:           "{count} {count|one:change was|other:changes were} logged too late to be put in order, and {count|one:is|other:are} left out.",
}

// Sentence returns a remark in English.
func Sentence(id string, count int64, detail string) string {
	s, ok := sentences[id]
	if !ok {
		return strings.TrimSpace(id + " " + detail)
	}
	return sentence.Fill(s, func(name string) (string, bool) {
		if name == "detail" {
			return detail, false
		}
		return strconv.FormatInt(count, 10), count == 1
	})
}

// IDs returns the identifiers of all remarks, for the catalogue of another language.
func IDs() []string {
	var ids []string
	for id := range sentences {
		ids = append(ids, id)
	}
	return ids
}
