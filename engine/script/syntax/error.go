package syntax

import "github.com/informerscope/informerscope/engine/fault"

// Error says what is wrong with a line, and where.
type Error struct {
	Line, Col int // from 1
	Why       error
}

func (e Error) Error() string { return e.Fault().Error() }

// Fault is an error that says where and what.
func (e Error) Fault() error {
	return fault.New("at line column why", e.Line, e.Col, e.Why)
}

// At returns the Error that something is wrong at a line and a column.
func At(line, col int, why error) Error { return Error{line, col, why} }
