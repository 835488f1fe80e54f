package code

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// bound is the parameter of a function that holds the program counter, and its value
// in a step. Its param is nil where that isn't known.
type bound struct {
	param types.Object
	value int64
}

// executed finds out which lines of a function have run for certain, if it was called and
// some of its expressions were evaluated: those, the statements that had to run before
// them or have to after them, and the conditions that led there.
type executed struct {
	*source
	arguments arguments
	pc        bound
	positions []token.Pos // the expressions
	lines     map[int]bool
	facts     map[int64]bool // the kinds of facts that these lines emit
	batch     *bool          // what the profile's Batch has to be, nil where that makes no difference
}

func (r *executed) has(n ast.Node) bool {
	for _, p := range r.positions {
		if n.Pos() <= p && p < n.End() {
			return true
		}
	}
	return false
}

func (r *executed) mark(from, to token.Pos) {
	for l := r.line(from); l <= r.line(to); l++ {
		r.lines[l] = true
	}
}

// list goes through statements that began to run, and reports whether those behind
// them run as well.
func (r *executed) list(all []ast.Stmt) (on bool) {
	last := -1
	for i, s := range all {
		if r.has(s) {
			last = i
		}
	}
	for i, s := range all {
		if !r.stmt(s) && i >= last {
			return false
		}
	}
	return true
}

func (r *executed) stmt(s ast.Stmt) (on bool) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return r.list(s.List)
	case *ast.LabeledStmt:
		return r.stmt(s.Stmt) && !leaves(s)
	case *ast.IfStmt:
		r.mark(s.Pos(), s.Body.Lbrace)
		is, known := r.pc.decides(r.info, s.Cond)
		if r.asksBatch(s.Cond) && (r.has(s.Body) || s.Else != nil && r.has(s.Else)) {
			covered := r.has(s.Body)
			r.batch = &covered
		}
		switch {
		case r.has(s.Body) || known && is:
			return r.list(s.Body.List)
		case s.Else != nil && (r.has(s.Else) || known):
			return r.stmt(s.Else)
		}
		return known || !leaves(s)
	case *ast.SwitchStmt:
		r.mark(s.Pos(), s.Body.Lbrace)
		return r.clauses(s.Body, r.pc.selects(r.info, s))
	case *ast.TypeSwitchStmt:
		r.mark(s.Pos(), s.Body.Lbrace)
		return r.clauses(s.Body, nil)
	case *ast.ForStmt:
		r.mark(s.Pos(), s.Body.Lbrace)
		return r.loop(s.Body)
	case *ast.RangeStmt:
		r.mark(s.Pos(), s.Body.Lbrace)
		return r.loop(s.Body)
	}
	r.simple(s)
	return !leaves(s)
}

// asksBatch reports whether a condition is the Batch of a Profile.
func (s *source) asksBatch(e ast.Expr) bool {
	f, ok := e.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "Batch" {
		return false
	}
	p, ok := s.info.Types[f.X].Type.(*types.Pointer)
	return ok && types.TypeString(p.Elem(), (*types.Package).Name) == "informer.Profile"
}

func (r *executed) clauses(body *ast.BlockStmt, chosen *ast.CaseClause) (on bool) {
	taken, on := 0, true
	for _, s := range body.List {
		c := s.(*ast.CaseClause)
		runs := c == chosen
		for _, s := range c.Body {
			runs = runs || r.has(s)
		}
		if runs {
			taken++
			r.mark(c.Pos(), c.Colon)
			on = r.list(c.Body)
		}
	}
	if taken == 1 {
		return on
	}
	return !leaves(body)
}

func (r *executed) loop(body *ast.BlockStmt) (on bool) {
	if r.has(body) {
		r.list(body.List)
	}
	return !leaves(body)
}

// simple marks a statement that has no statements in it outside function literals.
func (r *executed) simple(s ast.Stmt) {
	inner := map[int]bool{}
	ast.Inspect(s, func(n ast.Node) bool {
		f, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		for l := r.line(f.Body.Lbrace) + 1; l <= r.line(f.Body.Rbrace); l++ {
			inner[l] = true
		}
		if r.has(f.Body) {
			r.list(f.Body.List)
		}
		return false
	})
	for l := r.line(s.Pos()); l <= r.line(s.End()-1); l++ {
		if !inner[l] {
			r.lines[l] = true
		}
	}
	if e, ok := s.(*ast.ExprStmt); ok {
		if k, ok := r.emits(e.X); ok {
			r.facts[r.arguments.fact(k)] = true
		}
	}
}

// emits returns the kind of fact that an expression emits, where the expression itself has it.
func (s *source) emits(e ast.Expr) (kind int64, ok bool) {
	call, is := e.(*ast.CallExpr)
	if !is || len(call.Args) != 1 || calls(call) != "Emit" {
		return 0, false
	}
	switch arg := call.Args[0].(type) {
	case *ast.CompositeLit:
		for _, e := range arg.Elts {
			if kv, is := e.(*ast.KeyValueExpr); is && kv.Key.(*ast.Ident).Name == "Kind" {
				return s.kind(kv.Value)
			}
		}
	case *ast.CallExpr:
		if calls(arg) == "Event" && len(arg.Args) == 1 {
			return s.kind(arg.Args[0])
		}
	}
	return 0, false
}

// calls returns the name of the method or function of another package that is called.
func calls(c *ast.CallExpr) string {
	if f, ok := c.Fun.(*ast.SelectorExpr); ok {
		return f.Sel.Name
	}
	return ""
}

// kind returns the kind of fact that an expression names.
func (s *source) kind(e ast.Expr) (kind int64, ok bool) {
	t := s.info.Types[e]
	if n, is := t.Type.(*types.Named); is && t.Value != nil && n.Obj().Name() == "Kind" && n.Obj().Pkg().Name() == "event" {
		return constant.Int64Val(t.Value)
	}
	return 0, false
}

// leaves reports whether a node may keep what is behind it from running.
func leaves(n ast.Node) (is bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			is = true
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.Ident)
			is = is || ok && f.Name == "panic"
		}
		return !is
	})
	return is
}

// decides returns the value of a condition that compares the program counter with a constant.
func (b bound) decides(info *types.Info, e ast.Expr) (is, known bool) {
	c, ok := e.(*ast.BinaryExpr)
	if !ok || !b.isParam(info, c.X) || info.Types[c.Y].Value == nil {
		return false, false
	}
	v, _ := constant.Int64Val(info.Types[c.Y].Value)
	return (v == b.value) == (c.Op == token.EQL), c.Op == token.EQL || c.Op == token.NEQ
}

// selects returns the clause that a switch on the program counter goes to, nil for another switch.
func (b bound) selects(info *types.Info, s *ast.SwitchStmt) (to *ast.CaseClause) {
	if s.Tag == nil || !b.isParam(info, s.Tag) {
		return nil
	}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			if to == nil {
				to = c
			}
			continue
		}
		for _, e := range c.List {
			if v, exact := constant.Int64Val(info.Types[e].Value); exact && v == b.value {
				return c
			}
		}
	}
	return to
}

func (b bound) isParam(info *types.Info, e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && b.param != nil && info.Uses[id] == b.param
}
