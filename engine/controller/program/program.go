// Package program is what a controller does in a reconcile, as pure data: a short list of
// reads, comparisons and writes. Whoever plays a program gives it the values of its terms
// and carries out its statements, one after the other.
package program

import (
	"slices"
	"strconv"
)

// Op is what a statement does.
type Op uint8

// The statements. Each write is a request of its own.
const (
	Nothing            Op = iota
	List                  // reads the children: those whose owner is the object
	Claim                 // adopts the orphans that the object's selector matches, and releases the children that it doesn't match
	Generate              // creates a child with the generateName of the object's name
	Create                // creates the child that has the object's name
	Delete                // deletes the last of the children read
	Set                   // writes a field of the status
	Status                // writes the status of a ReplicaSet, as kube-controller-manager has it
	Update                // writes another field or a label
	Drop                  // removes a field or a label
	Acquire               // gets a resource outside of the cluster for the object
	Release               // gives it back
	Return                // ends the reconcile without an error
	Fail                  // ends it with an error
	Terminate             // ends it with a TerminalError
	Requeue               // ends it with RequeueAfter
	RequeueRateLimited    // ends it with Requeue
	Prioritise            // gives the key another priority, with which it is added again
	Panic                 // panics
)

// Writes reports whether the statement is a request to the API server that writes.
func (o Op) Writes() bool { return o >= Generate && o <= Drop }

// Manages reports whether the statement makes or deletes children.
func (o Op) Manages() bool { return o >= Generate && o <= Delete }

// Term is a value in a program: a field or label of the object, one of the words below, or
// a constant.
type Term struct {
	Text string
	Kind TermKind
}

// TermKind says what a Term is.
type TermKind uint8

// The kinds of terms.
const (
	Constant TermKind = iota
	Field             // of the object; "" if it isn't there
	Children          // how many children the last List has read, and what was created and deleted since
	Finished          // how many of them have the field .status.phase with the value Succeeded
	Deleting          // 1 if the object has a deletionTimestamp
	Outside           // 1 if there is a resource outside for the object
)

// Comparison compares two terms.
type Comparison uint8

// The comparisons.
const (
	Always Comparison = iota
	Equal
	NotEqual
	LessThan
	MoreThan
)

// Statement is one line of a program.
type Statement struct {
	Op    Op
	Name  string // of the field that is written
	Value Term   // what is written there
	After int64  // of Requeue, ns; of Prioritise, the priority

	// When it is done, and whether it is done again for as long as that holds.
	Left, Right Term
	Comparison  Comparison
	While       bool
	Slow        bool // it is done again in batches of 1, 2, 4 and so on, whose requests are sent together
}

// Program is a list of statements. The object of the key has been read before the first
// one; a reconcile whose object is gone ends there.
type Program struct {
	Text string
	List []Statement
	// Wants is how many children the object is to have, and Never if the program makes none.
	Wants           Term
	CreatesChildren bool
	// Claims tells that a statement is Claim.
	Claims bool
}

// Prioritises reports whether the program gives keys a priority.
func (p *Program) Prioritises() bool {
	return slices.ContainsFunc(p.List, func(s Statement) bool { return s.Op == Prioritise })
}

// Compare compares two values: as numbers if both are, and as texts otherwise. A missing
// number is 0.
func (c Comparison) Compare(left, right string) bool {
	if c == Always {
		return true
	}
	l, isL := number(left)
	r, isR := number(right)
	if !isL || !isR {
		return c == Equal && left == right || c == NotEqual && left != right
	}
	switch c {
	case Equal:
		return l == r
	case NotEqual:
		return l != r
	case LessThan:
		return l < r
	}
	return l > r
}

func number(text string) (int64, bool) {
	if text == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return n, err == nil
}
