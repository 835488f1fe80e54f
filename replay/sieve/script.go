package sieve

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/replay/plain"
)

const second = 1_000_000_000

// begins is when the recording begins in the script: the informers have their first lists by then.
const begins = second

// Over puts a plan over a recording, a trace in informerscope's own format. It returns a script.
func (p *Plan) Over(recording io.Reader) (string, error) {
	r, err := changes(recording)
	if err != nil {
		return "", err
	}
	if len(r.resources) == 0 {
		return "", errors.New("nothing changes in the recording")
	}
	s := &writer{plan: p, r: r}
	if err := s.moments(); err != nil {
		return "", err
	}
	s.set()
	s.play()
	return s.b.String(), nil
}

// writer writes the script.
type writer struct {
	plan  *Plan
	r     *recording
	at    []int64 // when each action is done
	from  []int   // before which change, for those of one moment
	b     strings.Builder
	now   int64
	other []string // resources that the controller reads from another API server after it was reconnected
}

// moments finds when each action is done. Actions come one after the other: the trigger of one counts from the end of the one
// before.
func (s *writer) moments() error {
	next, now := 0, int64(0) // the first change that still counts
	for i := range s.plan.Actions {
		a := &s.plan.Actions[i]
		counts, came := map[string]int{}, map[string]bool{}
		met := func() bool {
			ok, _ := a.Trigger.met(func(name string) bool { return came[name] })
			return ok
		}
		// wait lets time pass, and reports whether a time-out was what was waited for.
		wait := func(until int64) bool {
			for {
				var first *definition
				for j := range a.Trigger.Definitions {
					d := &a.Trigger.Definitions[j]
					if d.Condition.Type == onTimeout && !came[d.Name] && now+d.Condition.Timeout*second <= until && (first == nil || d.Condition.Timeout < first.Condition.Timeout) {
						first = d
					}
				}
				if first == nil {
					return false
				}
				if came[first.Name] = true; met() {
					now += first.Condition.Timeout * second
					return true
				}
			}
		}
		found := false
		for ; next < len(s.r.events) && !found; next++ {
			e := &s.r.events[next]
			if found = wait(e.at); found {
				break
			}
			for j := range a.Trigger.Definitions {
				d := &a.Trigger.Definitions[j]
				if d.Condition.Type == onTimeout || !d.matches(e) {
					continue
				}
				if counts[d.Name]++; counts[d.Name] == max(1, d.Condition.Occurrence) {
					came[d.Name] = true
				}
			}
			if found = met(); found {
				now = e.at
			}
		}
		if !found && !wait(1<<62) {
			return fmt.Errorf("action %d, %s: its trigger %q never comes in the recording", a.number, a.Type, a.Trigger.Expression)
		}
		now += a.WaitBefore * second
		s.at, s.from = append(s.at, now), append(s.from, next)
		now += a.WaitAfter * second
		for a.Async == nil && next < len(s.r.events) && s.r.events[next].at < now {
			next++
		}
	}
	return nil
}

// scope are the resources that a pause is about.
func (s *writer) scope(a *action) []string {
	if a.Scope == "" || a.Scope == "all" {
		return s.r.resources
	}
	for i := range s.r.events {
		if e := &s.r.events[i]; e.named(a.Scope) {
			return []string{e.resource}
		}
	}
	return nil
}

// reconnects reports whether the controller is connected to an API server later.
func (s *writer) reconnects(server string) bool {
	return slices.ContainsFunc(s.plan.Actions, func(a action) bool { return a.Type == reconnect && a.Reconnects == server })
}

func (s *writer) line(words ...string) { s.b.WriteString(strings.Join(words, " ") + "\n") }

// set writes the setup. A controller that is connected to another API server has two informers of what is paused there:
// the first one is the one that it has afterwards.
func (s *writer) set() {
	s.line("# the recording, with the faults of a test plan of Sieve for the workload " + plain.Text(s.plan.Workload))
	s.line("# a client-go of Sieve's time: a streaming list waits until the API server has caught up, so that it never goes back")
	s.line("profile v0.22")
	for i := range s.plan.Actions {
		if a := &s.plan.Actions[i]; a.Type == pauseServer && s.reconnects(a.Server) {
			for _, r := range s.scope(a) {
				if !slices.Contains(s.other, r) {
					s.other = append(s.other, r)
				}
			}
		}
	}
	for _, r := range s.r.resources {
		if slices.Contains(s.other, r) {
			s.line("informer", syntax.Quote(r), "factory")
			s.line("handler", handler(r), "informer="+syntax.Quote(r), "workqueue")
		}
	}
	for _, r := range s.r.resources {
		s.line("informer", syntax.Quote(r))
		if !slices.Contains(s.other, r) {
			s.line("handler", handler(r), "informer="+syntax.Quote(r), "workqueue")
		}
	}
	for i := range s.r.events {
		if e := &s.r.events[i]; e.op == existed {
			s.line("exists", s.object(e))
		}
	}
}

// handler is the name of the controller's handler for a resource.
func handler(resource string) string {
	name, _, _ := strings.Cut(resource, ".")
	return syntax.Quote("controller-" + name)
}

// play writes what happens.
func (s *writer) play() {
	next := 0
	for i := range s.r.events {
		for ; next < len(s.at) && (s.from[next] <= i || s.at[next] < s.r.events[i].at) && s.at[next] <= s.r.events[i].at; next++ {
			s.fault(next)
		}
		e := &s.r.events[i]
		if e.op == existed {
			continue
		}
		s.to(e.at)
		s.line([...]string{created: "create", updated: "update", deleted: "delete"}[e.op], s.object(e))
	}
	for ; next < len(s.at); next++ {
		s.fault(next)
	}
	s.line("advance 1m")
}

// to lets the clock go on.
func (s *writer) to(at int64) {
	if at += begins; at > s.now {
		s.now = at
		s.line("advance to", strconv.FormatInt(at/1000, 10)+"us")
	}
}

// fault writes what an action does.
func (s *writer) fault(n int) {
	a := &s.plan.Actions[n]
	s.to(s.at[n])
	s.line("# action " + strconv.Itoa(a.number) + ": " + a.Type)
	switch a.Type {
	case pauseServer:
		s.each(a, func(r string) { s.line("lag server forever", syntax.Quote(r)) })
	case resumeServer:
		s.each(a, func(r string) { s.line("lag server 0s", syntax.Quote(r)) })
	case pause, pauseRead:
		s.each(a, func(r string) { s.line("takes", handler(r), "forever") })
	case resume, resumeRead:
		s.each(a, func(r string) { s.line("takes", handler(r), "0s") })
	case reconnect:
		if len(s.other) > 0 {
			s.line("# the process begins anew, and lists at an API server that has stood still")
			s.line("start factory")
			return
		}
		s.line("kill process")
	case restart:
		s.line("kill process")
	}
}

func (s *writer) each(a *action, do func(resource string)) {
	all := s.scope(a)
	for _, r := range all {
		do(r)
	}
	if len(all) == 0 {
		s.line("# " + plain.Text(a.Scope) + " is not in the recording")
	}
}

// object is an object in a line, with its labels.
func (s *writer) object(e *event) string {
	text := syntax.Quote(e.resource) + " " + syntax.Quote(e.key)
	if e.op == deleted {
		return text
	}
	labels, _ := metadata(e.object)["labels"].(map[string]any)
	var all []string
	for name, value := range labels {
		if v, ok := value.(string); ok && !strings.ContainsAny(name+v, " \t\n\r#[]\"'") && v != "" {
			all = append(all, name+"="+v)
		}
	}
	slices.Sort(all)
	return strings.Join(append([]string{text}, all...), " ")
}
