package program

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fault"
)

// maxStatements is how long a program may be.
const maxStatements = 64

var ops = map[string]Op{
	"list": List, "claim": Claim, "generate": Generate, "create": Create, "delete": Delete, "set": Set, "status": Status, "update": Update, "drop": Drop,
	"acquire": Acquire, "release": Release, "return": Return, "fail": Fail, "requeue": Requeue,
	"terminate": Terminate, "again": RequeueRateLimited, "priority": Prioritise, "panic": Panic,
}

var comparisons = map[string]Comparison{"=": Equal, "!=": NotEqual, "<": LessThan, ">": MoreThan}

var terms = map[string]TermKind{"children": Children, "finished": Finished, "deleting": Deleting, "outside": Outside}

// Parse reads the text of a program: statements with semicolons between them, such as
//
//	list; while children < .spec.replicas generate; set .status.replicas children
//
// Each may begin with "if" or "while", a term, one of = != < >, and another term. In the
// place of "while" a generate may have "slowstart", as kube-controller-manager's
// slowStartBatch does. A term that begins with a dot is a field of the object, and .labels.NAME is a label. It is an
// error to compare two constants.
func Parse(text string) (Program, error) {
	p := Program{Text: text}
	for part := range strings.SplitSeq(text, ";") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		s, ok := parse(words)
		if !ok || len(p.List) == maxStatements {
			return p, fault.Quoted("noStatement text", strings.TrimSpace(part))
		}
		if s.Comparison != Always && s.Left.Kind == Constant && s.Right.Kind == Constant {
			return p, fault.Quoted("twoConstants text", strings.TrimSpace(part))
		}
		p.Claims = p.Claims || s.Op == Claim
		if p.List = append(p.List, s); s.Op == Generate || s.Op == Create {
			p.CreatesChildren, p.Wants = true, Term{Text: "1"}
			if s.While && s.Left.Kind == Children {
				p.Wants = s.Right
			}
		}
	}
	return p, nil
}

func parse(words []string) (s Statement, ok bool) {
	if words[0] == "if" || words[0] == "while" || words[0] == "slowstart" {
		if len(words) < 5 {
			return s, false
		}
		s.Slow = words[0] == "slowstart"
		s.While = words[0] == "while" || s.Slow
		s.Left, s.Right = term(words[1]), term(words[3])
		if s.Comparison = comparisons[words[2]]; s.Comparison == Always {
			return s, false
		}
		words = words[4:]
	}
	s.Op = ops[words[0]]
	words = words[1:]
	switch {
	case s.Op == Nothing:
		return s, false
	case s.Op == Set || s.Op == Update:
		if len(words) != 2 || s.Op == Set && !strings.HasPrefix(words[0], ".status.") {
			return s, false
		}
		s.Name, s.Value = strings.TrimPrefix(words[0], labels), term(words[1])
		return s, true
	case s.Op == Drop:
		if len(words) == 1 {
			s.Name = strings.TrimPrefix(words[0], labels)
		}
		return s, len(words) == 1
	case s.Op == Requeue:
		if len(words) != 1 {
			return s, false
		}
		s.After, ok = actor.ParseDuration(words[0])
		return s, ok
	case s.Op == Prioritise:
		if len(words) != 1 {
			return s, false
		}
		n, err := strconv.ParseInt(words[0], 10, 16)
		s.After = n
		return s, err == nil
	case s.While && !s.Op.Manages(), s.Slow && s.Op != Generate, s.Op == Claim && s.Comparison != Always:
		return s, false // nothing that it does would end a while, and a claim is always made
	}
	return s, len(words) == 0
}

// labels stands before the name of a label, which has no dot before it otherwise.
const labels = ".labels."

func term(word string) Term {
	if label, is := strings.CutPrefix(word, labels); is {
		return Term{label, Field}
	}
	if is, known := terms[word]; known {
		return Term{word, is}
	}
	if strings.HasPrefix(word, ".") {
		return Term{word, Field}
	}
	return Term{Text: word}
}

// programs are those that have a name.
var programs = [][2]string{
	{"replicas", "list; if deleting = 1 return; while children < .spec.replicas generate; while children > .spec.replicas delete; set .status.replicas children"},
	{"replicaset", "list; claim; slowstart children < .spec.replicas generate; while children > .spec.replicas delete; status"},
	{"one", "list; if children = 0 create"},
	{"generated", "list; if children = 0 generate"},
	{"finalizer", "if deleting = 1 release; if deleting = 1 drop .finalizers; if deleting = 1 return; update .finalizers example.com/outside; acquire"},
	{"job", "list; set .status.succeeded finished; while children < .spec.completions generate"},
	{"status", "set .status.phase Ready"},
	{"fights", "set .status.phase Waiting"},
}

// Named returns the program of a name.
func Named(name string) (Program, bool) {
	for _, p := range programs {
		if p[0] == name {
			made, err := Parse(p[1])
			return made, err == nil
		}
	}
	return Program{}, false
}

// Names returns the names of the programs that have one.
func Names() (all []string) {
	for _, p := range programs {
		all = append(all, p[0])
	}
	return all
}
