// Package sieve puts a test plan of Sieve over a recording. A plan has faults, each with a trigger, and neither the
// workload nor the controller. Here the recording is the workload: the triggers are looked for in what came over its watches, and what comes of it is a script that writes the recorded objects at their times and
// makes the faults in between.
package sieve

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/informerscope/informerscope/replay/trace"
)

// Limits of a plan.
const (
	maxPlan    = 1 << 20
	maxActions = 100
	maxDepth   = 100
)

// Plan is a test plan.
type Plan struct {
	Workload string   `yaml:"workload"`
	Actions  []action `yaml:"actions"`
}

type action struct {
	Type       string  `yaml:"actionType"`
	Server     string  `yaml:"apiServerName"`
	Reconnects string  `yaml:"reconnectAPIServer"`
	Scope      string  `yaml:"pauseScope"` // all, or an object as KIND/NAMESPACE/NAME
	At         string  `yaml:"pauseAt"`
	WaitBefore int64   `yaml:"waitBefore"` // s
	WaitAfter  int64   `yaml:"waitAfter"`  // s
	Async      any     `yaml:"async"`
	Trigger    trigger `yaml:"trigger"`
	number     int
}

type trigger struct {
	Definitions []definition `yaml:"definitions"`
	Expression  string       `yaml:"expression"` // names with & and | and brackets
}

type definition struct {
	Name      string `yaml:"triggerName"`
	Condition struct {
		Type       string `yaml:"conditionType"`
		Resource   string `yaml:"resourceKey"` // KIND/NAMESPACE/NAME
		Before     string `yaml:"prevStateDiff"`
		After      string `yaml:"curStateDiff"`
		Occurrence int    `yaml:"occurrence"`
		Timeout    int64  `yaml:"timeoutValue"` // s
	} `yaml:"condition"`
	Observed struct {
		When string `yaml:"when"`
	} `yaml:"observationPoint"`

	before, after []leaf
}

// Errors of a plan.
var (
	ErrNoPlan = errors.New("this is no test plan of Sieve: it has no actions")
	errDeep   = errors.New("the plan is nested too deeply")
	errLarge  = errors.New("the plan is larger than 1 MB")
)

// The actions and conditions that are known.
const (
	pauseServer  = "pauseAPIServer"
	resumeServer = "resumeAPIServer"
	pause        = "pauseController"
	resume       = "resumeController"
	pauseRead    = "pauseControllerRead"
	resumeRead   = "resumeControllerRead"
	restart      = "restartController"
	reconnect    = "reconnectController"

	onCreate  = "onObjectCreate"
	onDelete  = "onObjectDelete"
	onUpdate  = "onObjectUpdate"
	onAny     = "onAnyFieldModification"
	onTimeout = "onTimeout"
)

var (
	actions    = []string{pauseServer, resumeServer, pause, resume, pauseRead, resumeRead, restart, reconnect}
	conditions = []string{onCreate, onDelete, onUpdate, onAny, onTimeout}
	// observable are the moments that a recording tells: what an API server sent, an informer got, or a controller wrote.
	observable = []string{
		"", "beforeAPIServerRecv", "afterAPIServerRecv", "beforeControllerRecv", "afterControllerRecv", "beforeControllerWrite", "afterControllerWrite",
	}
)

// Read reads a plan, as YAML or JSON.
func Read(text []byte) (*Plan, error) {
	if len(text) > maxPlan {
		return nil, errLarge
	}
	if !trace.ShallowYAML(text, maxDepth) {
		return nil, errDeep
	}
	p := new(Plan)
	if err := yaml.Unmarshal(text, p); err != nil {
		return nil, err
	}
	if len(p.Actions) == 0 {
		return nil, ErrNoPlan
	}
	if len(p.Actions) > maxActions {
		return nil, fmt.Errorf("the plan has more than %d actions", maxActions)
	}
	for i := range p.Actions {
		if err := p.Actions[i].check(i + 1); err != nil {
			return nil, fmt.Errorf("action %d: %w", i+1, err)
		}
	}
	return p, nil
}

func (a *action) check(number int) error {
	a.number = number
	if !slices.Contains(actions, a.Type) {
		return fmt.Errorf("there is no counterpart of %q here; those of %s are known", a.Type, strings.Join(actions, ", "))
	}
	if a.WaitBefore < 0 || a.WaitAfter < 0 || max(a.WaitBefore, a.WaitAfter) > 1e6 {
		return errors.New("a wait of that length makes no sense")
	}
	if len(a.Trigger.Definitions) == 0 || len(a.Trigger.Definitions) > maxActions {
		return errors.New("it has no trigger, or too many")
	}
	for i := range a.Trigger.Definitions {
		d := &a.Trigger.Definitions[i]
		c := &d.Condition
		switch {
		case !slices.Contains(conditions, c.Type):
			return fmt.Errorf("the recording can't tell a condition %q", c.Type)
		case c.Type != onTimeout && !slices.Contains(observable, d.Observed.When):
			return fmt.Errorf("the recording doesn't say what happens %q", d.Observed.When)
		case c.Timeout < 0 || c.Timeout > 1e6:
			return errors.New("a time-out of that length makes no sense")
		}
		var err error
		if d.before, err = leaves(c.Before); err == nil {
			d.after, err = leaves(c.After)
		}
		if err != nil {
			return fmt.Errorf("trigger %q: %w", d.Name, err)
		}
	}
	_, err := a.Trigger.met(func(string) bool { return false })
	return err
}

// met reports whether the expression holds, given which triggers have come.
func (t *trigger) met(came func(name string) bool) (bool, error) {
	e := expression{text: t.Expression, came: came, names: t.Definitions}
	v := e.or(0)
	if e.skip(); e.wrong == nil && e.at < len(e.text) {
		e.fail()
	}
	return v, e.wrong
}

// expression evaluates from left to right.
type expression struct {
	text  string
	at    int
	came  func(string) bool
	names []definition
	wrong error
}

func (e *expression) fail() {
	if e.wrong == nil {
		e.wrong = fmt.Errorf("the expression %q makes no sense", e.text)
	}
}

func (e *expression) skip() {
	for e.at < len(e.text) && e.text[e.at] == ' ' {
		e.at++
	}
}

func (e *expression) sign(c byte) bool {
	e.skip()
	if e.at < len(e.text) && e.text[e.at] == c {
		e.at++
		return true
	}
	return false
}

func (e *expression) or(depth int) bool {
	v := e.and(depth)
	for e.sign('|') {
		v = e.and(depth) || v
	}
	return v
}

func (e *expression) and(depth int) bool {
	v := e.name(depth)
	for e.sign('&') {
		v = e.name(depth) && v
	}
	return v
}

func (e *expression) name(depth int) bool {
	if depth > maxDepth {
		e.fail()
		return false
	}
	if e.sign('(') {
		v := e.or(depth + 1)
		if !e.sign(')') {
			e.fail()
		}
		return v
	}
	from := e.at
	for e.at < len(e.text) && !strings.ContainsRune("()&| ", rune(e.text[e.at])) {
		e.at++
	}
	name := e.text[from:e.at]
	if !slices.ContainsFunc(e.names, func(d definition) bool { return d.Name == name }) {
		e.fail()
	}
	return e.came(name)
}
