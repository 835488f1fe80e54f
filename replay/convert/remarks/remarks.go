// Package remarks has what must be known to read a converted trace rightly: an identifier
// and an English sentence for each remark. The page has a sentence for each in its languages.
package remarks

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/sentence"
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
	// PythonNames: the names of fields are the Python client's.
	PythonNames = "pythonNames"
	// TypesReadAs: events have another type than a watch's.
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

// english has the sentences of the remarks. {detail} and {count} stand for a remark's own. The English catalogue of the
// page has the same sentences.
//
//go:embed english.txt
var english string

// Sentence returns a remark in English.
func Sentence(id string, count int64, detail string) string {
	for line, s := range sentence.Lines(english) {
		if line == id {
			return sentence.Fill(s, func(name string) (string, bool) {
				if name == "detail" {
					return detail, false
				}
				return strconv.FormatInt(count, 10), count == 1
			})
		}
	}
	return strings.TrimSpace(id + " " + detail)
}

// IDs returns the identifiers of all remarks, for the catalogue of another language.
func IDs() (ids []string) {
	for id := range sentence.Lines(english) {
		ids = append(ids, id)
	}
	return ids
}
