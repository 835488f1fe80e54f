package sieve

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
)

// recorded is a recording in which a pod comes, changes and goes, and another one comes.
const recorded = `{"informerscope":"trace","version":1}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?limit=500"}}
{"t":0,"id":1,"body":{"kind":"PodList","metadata":{"resourceVersion":"4"},"items":[{"metadata":{"name":"old","namespace":"x","resourceVersion":"3"}}]}}
{"t":1000000,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true"}}
{"t":1000000000,"id":2,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"x","resourceVersion":"5","labels":{"app":"shop"}},"spec":{"replicas":1}}}}
{"t":2000000000,"id":2,"event":{"type":"MODIFIED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"x","resourceVersion":"6","labels":{"app":"shop"}},"spec":{"replicas":3}}}}
{"t":3000000000,"id":2,"event":{"type":"MODIFIED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"x","resourceVersion":"7","deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"replicas":3}}}}
{"t":4000000000,"id":2,"event":{"type":"DELETED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"x","resourceVersion":"8"}}}}
{"t":5000000000,"id":2,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"x","resourceVersion":"9"}}}}
`

// travel pauses an API server, and connects the controller to it later.
const travel = `workload: recreate
actions:
- actionType: pauseAPIServer
  apiServerName: second
  pauseScope: pod/x/a
  trigger:
    definitions:
    - triggerName: t1
      condition: {conditionType: onObjectUpdate, resourceKey: pod/x/a, prevStateDiff: '{"metadata": {}}', curStateDiff: '{"metadata": {"deletionTimestamp": "SIEVE-NON-NIL"}}', occurrence: 1}
      observationPoint: {when: afterAPIServerRecv, by: second}
    expression: t1
- actionType: reconnectController
  controllerLabel: shop
  reconnectAPIServer: second
  waitBefore: 10
  trigger:
    definitions:
    - triggerName: t2
      condition: {conditionType: onObjectCreate, resourceKey: pod/x/a, occurrence: 1}
      observationPoint: {when: afterAPIServerRecv, by: first}
    expression: t2
- actionType: resumeAPIServer
  apiServerName: second
  pauseScope: pod/x/a
  trigger:
    definitions:
    - triggerName: t3
      condition: {conditionType: onTimeout, timeoutValue: 20}
    expression: t3
`

// one is a plan of one action with one trigger.
func one(action, condition string) string {
	return "workload: w\nactions:\n- actionType: " + action + "\n  trigger:\n    definitions:\n    - triggerName: t\n      condition: " + condition +
		"\n      observationPoint: {when: afterControllerRecv, by: informer}\n    expression: t\n"
}

func over(t *testing.T, plan string) string {
	t.Helper()
	p, err := Read([]byte(plan))
	if err != nil {
		t.Fatalf("%v in\n%s", err, plan)
	}
	text, err := p.Over(strings.NewReader(recorded))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The informer that the controller has after it was reconnected begins with what the API server had when it was paused.
func TestBackInTime(t *testing.T) {
	text := over(t, travel)
	var out strings.Builder
	r := script.NewRunner(func(e script.Entry) {
		if e.Kind == script.Value {
			fmt.Fprintln(&out, e.Text)
		}
	})
	at := strings.Index(text, "start factory\n") + len("start factory\n")
	end := strings.Index(text[at:], "lag server 0s") + at
	if err := r.Play(text[:at] + "advance 1s\nshow store\n" + text[at:end] + text[end:] + "show store\n"); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if got := out.String(); !strings.Contains(got, "[x/a@4 x/old@1]") || !strings.HasSuffix(got, "[x/a@6 x/old@1]\n") {
		t.Errorf("the store is %q, in\n%s", got, text)
	}
}

// Each trigger comes at its change, and the fault stands behind it.
func TestTriggers(t *testing.T) {
	for _, c := range []struct{ condition, after string }{
		{"{conditionType: onObjectCreate, resourceKey: pod/x/a, occurrence: 1}", "create pods x/a app=shop"},
		{"{conditionType: onObjectCreate, resourceKey: pod/x/a, occurrence: 2}", "create pods x/a"},
		{"{conditionType: onObjectUpdate, resourceKey: pod/x/a, prevStateDiff: '{\"spec\": {\"replicas\": 1}}', curStateDiff: '{\"Spec\": {\"Replicas\": 3}}', occurrence: 1}", "update pods x/a app=shop"},
		{"{conditionType: onAnyFieldModification, resourceKey: pod/x/a, prevStateDiff: '{\"metadata\": {\"labels\": {\"app\": \"shop\"}}}', occurrence: 1}", "update pods x/a"},
		{"{conditionType: onObjectDelete, resourceKey: pod/x/a, occurrence: 1}", "delete pods x/a"},
		{"{conditionType: onTimeout, timeoutValue: 3}", "update pods x/a app=shop"},
	} {
		text := over(t, one("restartController", c.condition))
		before, _, found := strings.Cut(text, "# action 1: restartController\nkill process\n")
		lines := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
		last := lines[len(lines)-1]
		if strings.HasPrefix(last, "advance") {
			last = lines[len(lines)-2]
		}
		if !found || last != c.after {
			t.Errorf("%s: the fault stands behind %q, in\n%s", c.condition, last, text)
		}
		if err := script.NewRunner(func(script.Entry) {}).Play(text); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
	}
}

func TestControllerPauses(t *testing.T) {
	text := over(t, one("pauseController", "{conditionType: onObjectCreate, resourceKey: pod/x/a, occurrence: 1}"))
	if !strings.Contains(text, "create pods x/a app=shop\n# action 1: pauseController\ntakes controller-pods forever\n") {
		t.Error(text)
	}
	if err := script.NewRunner(func(script.Entry) {}).Play(text); err != nil {
		t.Error(err)
	}
}

func TestExpressions(t *testing.T) {
	for text, want := range map[string]bool{"a": true, "b": false, "a|b": true, "a & b": false, "b&b|a": true, "(a|b)&b": false, "a&(b|a)": true} {
		x := trigger{Expression: text, Definitions: []definition{{Name: "a"}, {Name: "b"}}}
		if got, err := x.met(func(name string) bool { return name == "a" }); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "c", "a|", "(a", "a)", "a b", strings.Repeat("(", 1000)} {
		x := trigger{Expression: text, Definitions: []definition{{Name: "a"}, {Name: "b"}}}
		if _, err := x.met(func(string) bool { return true }); err == nil {
			t.Errorf("%q makes sense", text)
		}
	}
}

func TestRefused(t *testing.T) {
	for plan, why := range map[string]string{
		"workload: w\nactions: null\n":                                                                                                "no actions",
		one("omitEvent", "{conditionType: onTimeout}"):                                                                                "no counterpart",
		one("restartController", "{conditionType: onAnnotatedAPICall}"):                                                               "can't tell a condition",
		one("restartController", "{conditionType: onObjectUpdate, prevStateDiff: 'x'}"):                                               "invalid character",
		strings.Replace(one("restartController", "{conditionType: onObjectCreate}"), "afterControllerRecv", "afterControllerRead", 1): "doesn't say what happens",
	} {
		if _, err := Read([]byte(plan)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, and not %s, of\n%s", err, why, plan)
		}
	}
	p, err := Read([]byte(one("restartController", "{conditionType: onObjectCreate, resourceKey: pod/x/z, occurrence: 1}")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Over(strings.NewReader(recorded)); err == nil || !strings.Contains(err.Error(), "never comes") {
		t.Error(err)
	}
}

func FuzzOver(f *testing.F) {
	f.Add([]byte(travel), []byte(recorded))
	f.Add([]byte(one("pauseController", "{conditionType: onTimeout, timeoutValue: 3}")), []byte(recorded))
	f.Fuzz(func(t *testing.T, plan, trace []byte) {
		p, err := Read(plan)
		if err != nil {
			return
		}
		if text, err := p.Over(bytes.NewReader(trace)); err == nil && len(trace) < 1<<16 {
			script.Parse(text) // what an object is called may make no sense in a line
		}
	})
}
