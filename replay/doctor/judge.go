package doctor

import (
	"fmt"
	"slices"
	"time"
)

// Which versions of client-go something concerns.
const (
	allVersions   = "all versions"
	listing       = "v0.34 and older, and later ones with WatchListClient off or after a streaming list was refused"
	streamingList = "v0.35 and newer, and older ones with WatchListClient on"
)

// judge returns the findings on one resource, which was asked for through each hop.
func judge(seen []Received, lived time.Duration) []Finding {
	var all []Finding
	for i := range seen {
		j := judged{Received: &seen[i], otherHops: seen, lived: lived}
		if j.list() {
			j.pages()
			j.streaming()
			j.watch()
			j.old()
		}
		for _, f := range j.found {
			same := func(g Finding) bool { return g.Text == f.Text }
			if at := slices.IndexFunc(all, same); at >= 0 {
				all[at].Hops = append(all[at].Hops, f.Hops...)
			} else {
				all = append(all, f)
			}
		}
	}
	return all
}

// judged is what came through one hop, to be judged beside what came through the others.
type judged struct {
	*Received
	otherHops []Received
	lived     time.Duration
	found     []Finding
}

func (j *judged) addFinding(hangs bool, versions, says, do string, asked Head, came ...string) {
	j.found = append(j.found, Finding{
		Resource: j.Resource, Hops: []string{j.Hop}, Hangs: hangs, Text: says, Versions: versions, Asked: asked.Asked, Evidence: came, Advice: do,
	})
}

// otherwise returns the first other hop for which good holds.
func (j *judged) otherwise(good func(*Received) bool) string {
	for i := range j.otherHops {
		if o := &j.otherHops[i]; o.Hop != j.Hop && good(o) {
			return o.Hop
		}
	}
	return ""
}

// blame adds to what came whether another hop brings it, and so where it is lost.
func (j *judged) blame(came string, good func(*Received) bool) []string {
	if other := j.otherwise(good); other != "" {
		return []string{came, "it comes through " + other + ", so " + j.Hop + " loses it"}
	}
	if len(j.otherHops) > 1 {
		return []string{came, "it comes through no hop, so it is lost where all of them lead, or at the server"}
	}
	return []string{came}
}

// list judges the first request. Nothing else is asked after one that fails.
func (j *judged) list() bool {
	l := &j.List
	good := func(s *Received) bool { return s.List.Code == 200 && s.List.Error == "" }
	switch {
	case good(j.Received):
	case l.Code == 401 || l.Code == 403:
		j.addFinding(true, allVersions, "This user may not list "+j.Resource+". An informer of this user has no first list as long as this is so.",
			"Allow the verbs list and watch on this resource, or examine with the controller's own credentials.",
			l.Head, l.describe())
		return false
	case l.Code >= 300 && l.Code < 400:
		j.addFinding(true, allVersions, "The list is answered by a redirect, to a login most likely. An informer has no first list as long as this is so.",
			"Log in anew, or send the controller past what redirects it.",
			l.Head, j.blame(fmt.Sprintf("%d, to %q", l.Code, l.To), good)...)
		return false
	case l.putOff():
		do := "See whose requests take the API server's shares: kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels, where this server has it."
		if l.Code != 429 {
			do = "Look at what answers here: a proxy may have lost its server, or the API server is about to start or to stop."
		}
		j.addFinding(false, allVersions, fmt.Sprintf("The list is put off: %d, %s. An informer waits and asks again, and has its first list once it is let in.", l.Code, l.requestCount()),
			do, l.Head, l.describe())
		return false
	case l.Code == 404:
		j.addFinding(true, allVersions, "There is no such resource. An informer for it has no first list as long as this is so.",
			"Look at the name, the group and the version, and at whether its CustomResourceDefinition is installed.",
			l.Head, j.blame(l.describe(), good)...)
		return false
	case l.Reason != "":
		j.addFinding(true, allVersions, fmt.Sprintf("The list is refused with %d %s. An informer asks again and again, and has no first list as long as this is so.", l.Code, l.Reason),
			"Look at what the message says.", l.Head, j.blame(l.describe(), good)...)
		return false
	default:
		j.addFinding(true, allVersions, "The list gets no answer that can be read. An informer has no first list as long as this is so.",
			"Look at what answers here: the hop's own log has the request.",
			l.Head, j.blame(l.describe(), good)...)
		return false
	}
	if l.Version == "" || l.Version == "0" {
		j.addFinding(false, listing, "The list has no resourceVersion. The watch after it doesn't continue the list: changes between the two are missed, or objects are told twice.",
			"Something takes metadata out of lists: let it keep metadata.resourceVersion.",
			l.Head, j.blame(fmt.Sprintf("metadata.resourceVersion %q", l.Version), func(s *Received) bool { return good(s) && s.List.Version != "" && s.List.Version != "0" })...)
	}
	return true
}

// pages judges the second page.
func (j *judged) pages() {
	m := j.NextPage
	good := func(s *Received) bool {
		return s.NextPage != nil && s.NextPage.Code == 200 && s.NextPage.Error == "" && s.NextPage.First != s.List.First
	}
	switch {
	case m == nil || good(j.Received):
	case m.Code == 410: // the list is read again without pages, as it should be
	case m.Code == 200 && m.Error == "" && m.First != "":
		j.addFinding(true, listing, "The second page of a list is the first one again. A list in pages never ends.",
			"Something drops the parameter continue: let it pass on the whole query.",
			m.Head, j.blame("the object with uid "+m.First+" on both pages", good)...)
	case m.Code == 200 && m.Error == "": // objects without a uid, or the rest was deleted meanwhile
	default:
		j.addFinding(true, listing, "The second page of a list can't be read. A list of more than one page fails each time, and the informer begins again.",
			"Look at what answers here: long parameters such as continue may be refused.",
			m.Head, j.blame(m.describe(), good)...)
	}
}

// streaming judges the streaming list.
func (j *judged) streaming() {
	w := &j.Stream
	good := func(s *Received) bool { return s.Stream.Ending == Complete && s.Stream.After < answerLimit }
	const advice = "Until then set KUBE_FEATURE_WatchListClient=false in the controller's environment."
	switch {
	case good(j.Received):
	case w.Code >= 400: // client-go lists in the ordinary way
	case w.Ending == TooLong:
	case w.Code == 0 || w.After >= answerLimit:
		j.addFinding(true, streamingList, "A streaming list gets no answer before the server ends it, not even a head. An informer's first list lasts as long, five minutes and more.",
			"Something waits for the whole answer before it passes it on: turn its buffering of answers off. "+advice,
			w.Head, j.blame(w.waited(), good)...)
	case w.Ending == Refused:
		j.addFinding(false, streamingList, fmt.Sprintf("A streaming list ends with an error, %d %s. The informer lists in the ordinary way instead.", w.Status, w.Reason),
			"Look at what the error says.", w.Head, w.Error)
	default:
		came := fmt.Sprintf("%s, and no bookmark with the annotation %s; it %s after %s", w.counts(), initialEventsEnd, endings[w.Ending], formatDuration(w.Lived))
		do := "Let bookmarks pass, with their annotations. "
		if j.otherwise(good) == "" && w.Events > 0 && j.Watch.Bookmarks > 0 {
			do = "Kubernetes before 1.27 ignores sendInitialEvents: update the server. "
		}
		j.addFinding(true, streamingList, "A streaming list brings its objects and never its end. An informer's first list never ends: HasSynced stays false, with no error and nothing in the log.",
			do+advice, w.Head, j.blame(came, good)...)
	}
}

// watch judges the watch that follows the list.
func (j *judged) watch() {
	w := &j.Watch
	good := func(s *Received) bool {
		return s.Watch.Code == 200 && s.Watch.After < answerLimit && s.Watch.Ending == Ended
	}
	came := fmt.Sprintf("%s; it %s after %s", w.counts(), endings[w.Ending], formatDuration(w.Lived))
	switch {
	case w.Code == 401 || w.Code == 403:
		j.addFinding(true, allVersions, "This user may list "+j.Resource+", but not watch them. An informer lists again and again, and hears of changes late; with WatchListClient it lists in the ordinary way.",
			"Allow the verb watch on this resource.", w.Head, w.describe())
	case w.Code == 0 || w.After >= answerLimit:
		j.addFinding(true, allVersions, "A watch gets no answer at once, not even a head. The reflector waits for the head, and what happens meanwhile is held back.",
			"Something waits for more of the answer before it passes it on: turn its buffering of answers off.",
			w.Head, j.blame(w.waited(), good)...)
	case w.putOff():
		then := "waits and asks for it again, without another list"
		if w.Code != 429 { // rest.Request gives up after maxRetries, and the reflector begins anew
			then = "waits, lists again and asks for it again"
		}
		j.addFinding(false, allVersions, fmt.Sprintf("A watch is put off: %d, %s. An informer %s, and hears of changes once it is let in.", w.Code, w.requestCount(), then),
			"See who opens so many watches: apiserver_current_inflight_requests and apiserver_registered_watchers tell of it.",
			w.Head, w.describe())
	case w.Code != 200:
		j.addFinding(true, allVersions, "A watch from the list's version is refused. The informer lists again and again.",
			"Look at what answers here.", w.Head, j.blame(w.describe(), good)...)
	case w.Ending == Open:
		j.addFinding(true, allVersions, fmt.Sprintf("A watch is still open %s after the server was to end it. Where the server has ended it, nobody writes to it any more: the informer is silent, and its cache grows old.", formatDuration(w.Lived-j.lived)),
			"Something on the way keeps connections open whose other side is gone: have it close both.",
			w.Head, j.blame(came, good)...)
	case w.Ending == Broke || w.Ending == Ended && w.Lived < j.lived-time.Second:
		says := fmt.Sprintf("A watch lives for %s, though %s were asked for.", formatDuration(w.Lived), formatDuration(j.lived))
		if w.Ending == Broke && formatDuration(w.Lived) == formatDuration(j.lived) {
			says = fmt.Sprintf("A watch that is to live for %s breaks off then, and does not end.", formatDuration(j.lived))
		}
		j.addFinding(false, allVersions, says+" Each informer watches anew that often, and lists again where its version is too old by then.",
			"Something on the way has a time limit for answers or for silence: raise it above ten minutes.",
			w.Head, j.blame(came, good)...)
	case w.Bookmarks == 0 && w.Events == 0 && j.Stream.Ending != Complete:
		other := j.otherwise(func(s *Received) bool { return s.Watch.Bookmarks > 0 })
		if other == "" {
			break // a server that is at rest need not send any
		}
		j.addFinding(false, allVersions, "A watch brings no bookmark. After a quiet hour its version is too old, and the informer lists again.",
			"Let bookmarks pass.", w.Head, came, "bookmarks come through "+other+", so "+j.Hop+" loses them")
	}
}

// old judges the watch from a version that nobody keeps any more.
func (j *judged) old() {
	w := &j.Old
	answered := func(s *Received) bool { return s.Old.Code == 410 || s.Old.Status == 410 || s.Old.Events > 0 }
	switch {
	case answered(j.Received) || w.Code >= 400:
	case w.Code == 0 && j.Watch.Code == 0: // that is said of the other watch
	case w.Ending == Refused:
		j.addFinding(false, allVersions, fmt.Sprintf("A watch from a version that is too old ends with %d %s, and not with 410. The informer takes it for another error, and may ask for the same version again.", w.Status, w.Reason),
			"Something changes the Status in ERROR events: let it pass unchanged.", w.Head, j.blame(w.Error, answered)...)
	case j.List.Newest > 1:
		j.addFinding(true, allVersions, "A watch from a version that is too old is accepted, and nothing comes. An informer that was away misses what happened meanwhile, and doesn't know it.",
			"Let ERROR events and the code 410 pass.",
			w.Head, j.blame(fmt.Sprintf("no event and no error within %s, though the list has an object of version %d", formatDuration(w.Lived), j.List.Newest), answered)...)
	}
}

// putOff reports whether client-go takes an answer for one after which to ask again: reflectors wait after a 429
// (apierrors.IsTooManyRequests), and rest.Request after any answer that says when. 503 is one by its meaning.
func (h *Head) putOff() bool { return h.Code == 429 || h.Code == 503 || h.Code/100 == 5 && h.Later > 0 }

// requestCount says how often it was asked for.
func (h *Head) requestCount() string {
	if h.Later == 0 {
		return "and no Retry-After says when to ask again"
	}
	return fmt.Sprintf("for each of %d requests, with a Retry-After", h.Later+1)
}

// endings say in a sentence's middle how a watch went on.
var endings = map[Ending]string{
	Ended: "ended", Broke: "was cut off", Complete: "was complete", Refused: "ended with an error", Open: "was still open", TooLong: "was read no further",
}

// describe says how an answer began, as evidence.
func (h *Head) describe() string {
	switch {
	case h.Code == 0:
		return h.Error
	case h.Error == "":
		return fmt.Sprint(h.Code)
	case h.Reason != "":
		return fmt.Sprintf("%d %s: %s", h.Code, h.Reason, h.Error)
	}
	return fmt.Sprintf("%d %s: %s", h.Code, h.Type, h.Error)
}

// counts says what a watch has brought, as evidence.
func (w *Watch) counts() string {
	return fmt.Sprintf("events: %d, bookmarks: %d", w.Events, w.Bookmarks)
}

// waited says how long a watch's answer was waited for, as evidence.
func (w *Watch) waited() string {
	if w.Code == 0 {
		return w.Error + " within " + formatDuration(w.Lived)
	}
	return "the head came after " + formatDuration(w.After)
}

// formatDuration returns a time as it is printed.
func formatDuration(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}
