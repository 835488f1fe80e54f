package link

import (
	"strconv"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Edits are the viewer's changes to a run. They are saved with a trace and replayed when it is
// opened. The trace has them under the name "future", as JSON.
type Edits struct {
	Informer string // the Name of the one shown
	Setup    Setup
	Path     []PathStep // as Linked has it
}

// A member is a field of something that a trace holds, with its name there. Later pages must know it by this name.
type member struct {
	name  string
	value any
}

// A named struct has names for its fields.
type named interface{ members() []member }

func (x *Edits) members() []member {
	return []member{{"informer", &x.Informer}, {"setup", &x.Setup}, {"way", &x.Path}}
}

func (x *Setup) members() []member {
	return []member{
		{"profile", &x.Profile}, {"handlers", &x.Handlers}, {"index", &x.Index}, {"resync", &x.Resync}, {"workers", &x.Workers},
		{"workTime", &x.WorkTime}, {"follows", &x.Follows}, {"listed", &x.Listed},
	}
}

func (x *Handler) members() []member {
	return []member{
		{"name", &x.Name}, {"takes", &x.Duration}, {"resync", &x.Resync}, {"from", &x.From}, {"workqueue", &x.Workqueue},
		{"recorded", &x.Recorded},
	}
}

func (x *PathStep) members() []member {
	return []member{{"when", &x.Moment}, {"step", &x.Step}, {"line", &x.Line}}
}

// Encode returns x as a trace holds it.
func (x *Edits) Encode() []byte { return appendNamed(nil, x) }

// DecodeEdits reads what Edits.Encode has returned.
func DecodeEdits(b []byte) (*Edits, error) {
	x := new(Edits)
	r := jsonscan.NewReader(b)
	readNamed(&r, x)
	if err := r.End(); err != nil {
		return nil, err
	}
	return x, nil
}

// appendNamed appends an object. It leaves out members that are zero or empty.
func appendNamed(b []byte, x named) []byte {
	b = append(b, '{')
	for _, m := range x.members() {
		from := len(b)
		if b[from-1] != '{' {
			b = append(b, ',')
		}
		b = append(jsonscan.AppendString(b, m.name), ':')
		value := len(b)
		switch v := m.value.(type) {
		case *string:
			if *v != "" {
				b = jsonscan.AppendString(b, *v)
			}
		case *int:
			if *v != 0 {
				b = strconv.AppendInt(b, int64(*v), 10)
			}
		case *int64:
			if *v != 0 {
				b = strconv.AppendInt(b, *v, 10)
			}
		case *bool:
			if *v {
				b = append(b, "true"...)
			}
		case *[]Handler:
			b = appendAll(b, *v)
		case *[]PathStep:
			b = appendAll(b, *v)
		default:
			b = appendNamed(b, v.(named))
		}
		if len(b) == value {
			b = b[:from]
		}
	}
	return append(b, '}')
}

func appendAll[T any, P interface {
	*T
	named
}](b []byte, all []T) []byte {
	for i := range all {
		b = appendNamed(append(b, "[,"[min(i, 1)]), P(&all[i]))
	}
	if len(all) > 0 {
		b = append(b, ']')
	}
	return b
}

// readNamed reads an object. It passes over members that it doesn't know.
func readNamed(r *jsonscan.Reader, x named) {
	all := x.members()
	for range r.Members() {
		for _, m := range all {
			if !r.Is(m.name) {
				continue
			}
			switch v := m.value.(type) {
			case *string:
				r.Text(v)
			case *int:
				r.Int(v)
			case *int64:
				r.Int64(v)
			case *bool:
				r.Bool(v)
			case *[]Handler:
				readAll(r, v)
			case *[]PathStep:
				readAll(r, v)
			default:
				readNamed(r, v.(named))
			}
		}
	}
}

func readAll[T any, P interface {
	*T
	named
}](r *jsonscan.Reader, all *[]T) {
	*all = nil
	for range r.Elements() {
		*all = append(*all, *new(T))
		readNamed(r, P(&(*all)[len(*all)-1]))
	}
}
