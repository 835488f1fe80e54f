package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/controller/expectations"
	"github.com/informerscope/informerscope/engine/object"
)

type expOp struct {
	Op, Key, Name string
	UIDTrack      bool
	Add, Del, N   int64
	Keys          []string
}

// expPart plays exp.*: expectations, with and without UIDs.
type expPart struct {
	c      *controllerPlay
	t      *object.Table
	e      expectations.UIDTrackingControllerExpectations
	tracks bool
	now    int64
}

func (p *expPart) do(verb string, text []byte, out output) error {
	var op expOp
	if err := fields(text, &op); err != nil {
		return err
	}
	p.now = p.c.now
	if verb == "new" {
		p.t, p.tracks = object.NewTable(nil), op.UIDTrack
		return nil
	}
	k := p.t.Key(op.Key)
	plain := &p.e.ControllerExpectations
	switch verb {
	case "set":
		p.e.SetExpectations(k, op.Add, op.Del, p.now)
		out["ret"] = "<nil>"
	case "expectCreations":
		p.e.ExpectCreations(k, op.N, p.now)
		out["ret"] = "<nil>"
	case "expectDeletions":
		if p.tracks {
			p.e.ExpectDeletions(k, p.keys(op.Keys), p.now)
		} else {
			plain.ExpectDeletions(k, op.N, p.now)
		}
		out["ret"] = "<nil>"
	case "creationObserved":
		p.e.CreationObserved(k)
	case "deletionObserved":
		if p.tracks {
			p.e.DeletionObserved(k, p.t.Key(op.Name))
		} else {
			plain.DeletionObserved(k)
		}
	case "raise":
		p.e.RaiseExpectations(k, op.Add, op.Del)
	case "lower":
		p.e.LowerExpectations(k, op.Add, op.Del)
	case "satisfied":
		out["ret"] = p.e.SatisfiedExpectations(k, p.now).Satisfied()
	case "delete":
		p.e.DeleteExpectations(k)
	case "get":
		e, exists := p.e.GetExpectations(k)
		if out["exists"] = exists; exists {
			out["add"], out["del"] = e.Add, e.Del
		}
	default:
		return unknown(verb)
	}
	return nil
}

func (p *expPart) keys(names []string) []object.Key {
	var keys []object.Key
	for _, name := range names {
		keys = append(keys, p.t.Key(name))
	}
	return keys
}

func (p *expPart) advance(to int64, _ output) { p.now = to }

func (p *expPart) print(out output) { out["state"] = expected(p.t, &p.e, p.tracks, p.now) }

// expected writes all expectations. Tracks says whether they have UIDs.
func expected(t *object.Table, e *expectations.UIDTrackingControllerExpectations, tracks bool, now int64) []string {
	state := []string{}
	for _, k := range e.Keys(nil) {
		x, _ := e.GetExpectations(k)
		text := fmt.Sprintf("%s add=%d del=%d age=%dms", t.KeyText(k), x.Add, x.Del, (now-x.At)/1e6)
		if x.Fulfilled() {
			text += " fulfilled"
		}
		if x.Expired(now) && !x.Fulfilled() {
			text += " expired"
		}
		if tracks {
			names := []string{}
			for _, uid := range e.GetUIDs(k) {
				names = append(names, t.KeyText(uid))
			}
			slices.Sort(names)
			text += " uids=[" + strings.Join(names, " ") + "]"
		}
		state = append(state, text)
	}
	slices.Sort(state)
	return state
}
