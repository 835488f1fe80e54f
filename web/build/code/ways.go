package code

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// node is a function as it is called in a step: with the program counter and the lock that
// it is given.
type node struct {
	fn *function
	arguments
}

// arguments are the values of parameters, -1 where there is none or it isn't known.
type arguments struct {
	pc   int64
	lock int64
}

var noArguments = arguments{-1, -1}

// edge is a place in a function from which another one may be called.
type edge struct {
	pos token.Pos
	to  node
}

// mention is a place in a function that makes a fact of a kind.
type mention struct {
	pos  token.Pos
	kind int64
}

// graph is what may be called by what, and what makes which facts.
type graph struct {
	*source
	edges    map[node][]edge
	mentions map[node][]mention
	tabled   map[*types.Var][]int64 // kinds of facts that rows of a table have, by the field of the row
}

func newGraph(s *source) *graph {
	g := &graph{source: s, edges: map[node][]edge{}, mentions: map[node][]mention{}, tabled: map[*types.Var][]int64{}}
	for _, files := range s.files {
		for _, f := range files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
					for _, spec := range d.Specs {
						for _, value := range spec.(*ast.ValueSpec).Values {
							g.table(value)
						}
					}
				}
			}
		}
	}
	return g
}

// table notes the facts in the rows of a table, a variable of a package: whoever reads the field of a row that has them
// makes one of them.
func (g *graph) table(value ast.Expr) {
	table, ok := value.(*ast.CompositeLit)
	if !ok {
		return
	}
	list, ok := g.info.TypeOf(table).Underlying().(interface{ Elem() types.Type })
	if !ok {
		return
	}
	row, ok := list.Elem().Underlying().(*types.Struct)
	if !ok {
		return
	}
	for field := range row.Fields() {
		if named, ok := field.Type().(*types.Named); !ok || named.Obj().Name() != "Event" || named.Obj().Pkg().Name() != "event" {
			continue
		}
		ast.Inspect(table, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if k, ok := g.kind(e); ok && !slices.Contains(g.tabled[field], k) {
					g.tabled[field] = append(g.tabled[field], k)
				}
			}
			return true
		})
	}
}

// bound returns the parameter that has the node's program counter.
func (n node) bound() bound {
	for p := range n.fn.obj.Signature().Params().Variables() {
		if n.pc >= 0 && isNamed(p.Type(), "PC") {
			return bound{p, n.pc}
		}
	}
	return bound{}
}

func isNamed(t types.Type, name string) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg().Name() == "actor"
}

// explore reads what a node may call and what facts it makes, and goes on with what it
// calls.
func (g *graph) explore(n node) {
	if _, done := g.edges[n]; done {
		return
	}
	v := visitor{g: g, arguments: n.arguments, bound: n.bound(), passed: map[*ast.Ident]arguments{}}
	v.visitAll(n.fn.decl.Body.List)
	g.edges[n], g.mentions[n] = v.edges, v.mentions
	for _, e := range v.edges {
		g.explore(e.to)
	}
}

// visitor reads a function, without what its program counter never comes to.
type visitor struct {
	g         *graph
	arguments arguments
	bound     bound
	passed    map[*ast.Ident]arguments // what calls pass on, by the name called
	edges     []edge
	mentions  []mention
}

func (v *visitor) visitAll(all []ast.Stmt) {
	for _, s := range all {
		ast.Inspect(s, v.visit)
	}
}

func (v *visitor) visit(n ast.Node) bool {
	info := v.g.info
	switch n := n.(type) {
	case *ast.SwitchStmt:
		if c := v.bound.selects(info, n); c != nil {
			v.visitAll(c.Body)
			return false
		}
	case *ast.IfStmt:
		if is, known := v.bound.decides(info, n.Cond); known {
			if is {
				v.visitAll(n.Body.List)
			} else if n.Else != nil {
				ast.Inspect(n.Else, v.visit)
			}
			return false
		}
	case *ast.CaseClause: // what it compares makes no fact
		v.visitAll(n.Body)
		return false
	case *ast.BinaryExpr:
		if _, ok := v.g.kind(n.X); ok { // a comparison
			return false
		}
	case *ast.CallExpr:
		v.call(n)
	case *ast.SelectorExpr:
		if field, ok := info.Uses[n.Sel].(*types.Var); ok {
			for _, k := range v.g.tabled[field] {
				v.mention(n, k)
			}
		}
	case *ast.Ident:
		if f, ok := info.Uses[n].(*types.Func); ok {
			to, ok := v.passed[n]
			if !ok {
				to = noArguments
			}
			for _, fn := range v.g.bodies(f) {
				v.edges = append(v.edges, edge{n.Pos(), node{fn, to}})
			}
		}
	}
	if e, ok := n.(ast.Expr); ok {
		if k, ok := v.g.kind(e); ok {
			v.mention(e, k)
			return false
		}
	}
	return true
}

func (v *visitor) mention(n ast.Node, kind int64) {
	v.mentions = append(v.mentions, mention{n.Pos(), v.arguments.fact(kind)})
}

// fact returns a kind of fact, and the lock that it is about: a number as wasm/picture/says/code.go
// makes them.
func (g arguments) fact(kind int64) int64 { return kind + (g.lock+1)<<8 }

// call notes which program counter and which lock a call passes on.
func (v *visitor) call(c *ast.CallExpr) {
	var name *ast.Ident
	switch f := c.Fun.(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return
	}
	to := noArguments
	for _, arg := range c.Args {
		t := v.g.info.Types[arg]
		switch {
		case isNamed(t.Type, "PC") && t.Value != nil:
			to.pc, _ = constant.Int64Val(t.Value)
		case isNamed(t.Type, "PC") && v.bound.isParam(v.g.info, arg):
			to.pc = v.bound.value
		case isNamed(t.Type, "LockID") && t.Value != nil:
			to.lock, _ = constant.Int64Val(t.Value)
		case isNamed(t.Type, "LockID"):
			to.lock = v.arguments.lock
		}
	}
	v.passed[name] = to
}

// factPath is how a step comes from its first function to a fact: the calls, and the place
// that makes the fact.
type factPath struct {
	nodes     []node
	positions []token.Pos // in each of them
}

// findPaths finds the paths from a node to each kind of fact.
func (g *graph) findPaths(from node) map[int64][]factPath {
	g.explore(from)
	found := map[int64][]factPath{}
	leads := g.leads(from)
	var nodes []node
	var at []token.Pos
	var follow func(n node)
	follow = func(n node) {
		if slices.ContainsFunc(nodes, func(m node) bool { return m.fn == n.fn }) {
			return
		}
		nodes = append(nodes, n)
		for _, m := range g.mentions[n] {
			found[m.kind] = append(found[m.kind], factPath{slices.Clone(nodes), append(slices.Clone(at), m.pos)})
		}
		for _, e := range g.edges[n] {
			if leads[e.to] {
				at = append(at, e.pos)
				follow(e.to)
				at = at[:len(at)-1]
			}
		}
		nodes = nodes[:len(nodes)-1]
	}
	follow(from)
	return found
}

// leads returns the nodes below one that make facts or may call what does.
func (g *graph) leads(from node) map[node]bool {
	below, leads := map[node]bool{}, map[node]bool{}
	var collect func(n node)
	collect = func(n node) {
		if below[n] {
			return
		}
		below[n] = true
		for _, e := range g.edges[n] {
			collect(e.to)
		}
	}
	collect(from)
	for more := true; more; {
		more = false
		for n := range below {
			is := len(g.mentions[n]) > 0 || slices.ContainsFunc(g.edges[n], func(e edge) bool { return leads[e.to] })
			if is && !leads[n] {
				leads[n], more = true, true
			}
		}
	}
	return leads
}

// executed finds out what has run for certain in a node in which some places were come to.
func (g *graph) executed(n node, at ...token.Pos) *executed {
	r := &executed{source: g.source, arguments: n.arguments, pc: n.bound(), positions: at, lines: map[int]bool{}, facts: map[int64]bool{}}
	r.list(n.fn.decl.Body.List)
	return r
}

// program returns the methods and functions that the program counters lead to, as engine/informer/steps.go
// lists them.
func (s *source) program() map[int64]*function {
	found := map[int64]*function{}
	for _, f := range s.files[module+"engine/informer"] {
		for _, d := range f.Decls {
			d, ok := d.(*ast.GenDecl)
			if !ok || d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				if v := spec.(*ast.ValueSpec); v.Names[0].Name == "singleProgram" {
					for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
						kv := e.(*ast.KeyValueExpr)
						pc, _ := constant.Int64Val(s.info.Types[kv.Key].Value)
						name, ok := kv.Value.(*ast.Ident)
						if !ok {
							name = kv.Value.(*ast.SelectorExpr).Sel
						}
						found[pc] = s.funcs[s.info.Uses[name].(*types.Func)]
					}
				}
			}
		}
	}
	return found
}

// find returns the function of that name in a package of the engine.
func (s *source) find(pkg, name string) *function {
	for _, f := range s.funcs {
		if f.name == name && f.obj.Pkg().Path() == module+"engine/"+pkg {
			return f
		}
	}
	return nil
}
