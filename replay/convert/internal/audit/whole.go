package audit

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/trace/compact"
)

// The names of the fields that are read.
var (
	eventFields = []string{
		"stage", "level", "verb", "requestURI", "stageTimestamp", "requestReceivedTimestamp",
		"objectRef", "responseStatus", "responseObject", "requestObject",
	}
	referenceFields = []string{"resource", "namespace", "name", "uid", "apiGroup", "apiVersion", "subresource"}
	statusFields    = []string{"code", "reason"}
	answerFields    = []string{"kind", "metadata"}
	metadataFields  = []string{"name", "namespace", "uid", "resourceVersion", "continue", "deletionTimestamp", "deletionGracePeriodSeconds", "finalizers"}
)

// whole reads e, which must be empty, and o, its ResponseObject, from b. It reads what the API
// server writes, and reports whether it could read all of b. What it has read are parts of b.
func (e *event) whole(b []byte, o *answer) bool {
	end := compact.Object(b, 0, eventFields, func(n, i int) int {
		switch n {
		case 0, 1, 2, 4, 5:
			return compact.Text(b, i, [...]*string{&e.Stage, &e.Level, &e.Verb, nil, &e.At, &e.Received}[n])
		case 3:
			return uri(b, i, &e.RequestURI)
		case 6:
			return e.ObjectRef.whole(b, i)
		case 7:
			return e.ResponseStatus.whole(b, i)
		case 8:
			end := o.whole(b, i)
			if end > 0 {
				e.ResponseObject = b[i:end:end]
			}
			return end
		}
		end := compact.Sound(b, i)
		if end > 0 {
			e.RequestObject = b[i:end:end]
		}
		return end
	})
	return end == len(b)
}

// uri reads a URI. It leaves each ampersand as it is written, because nothing looks at them.
func uri(b []byte, i int, s *string) int {
	end := compact.Sound(b, i)
	if end < 0 || b[i] != '"' {
		return -1
	}
	written := b[i+1 : end-1]
	if bytes.Count(written, []byte{'\\'}) != bytes.Count(written, []byte(`\u0026`)) {
		return -1
	}
	*s = string(written)
	return end
}

func (r *reference) whole(b []byte, i int) int {
	return compact.Object(b, i, referenceFields, func(n, i int) int {
		return compact.Text(b, i, [...]*string{&r.Resource, &r.Namespace, &r.Name, &r.UID, &r.APIGroup, &r.APIVersion, &r.Subresource}[n])
	})
}

func (s *status) whole(b []byte, i int) int {
	return compact.Object(b, i, statusFields, func(n, i int) int {
		if n == 1 {
			return compact.Text(b, i, &s.Reason)
		}
		var code int64
		i = compact.Number(b, i, &code)
		s.Code = int(code)
		return i
	})
}

func (o *answer) whole(b []byte, i int) int {
	m := &o.Metadata
	return compact.Object(b, i, answerFields, func(n, i int) int {
		if n == 0 {
			return compact.Text(b, i, &o.Kind)
		}
		return compact.Object(b, i, metadataFields, func(n, i int) int {
			switch n {
			case 6:
				return compact.Number(b, i, &m.Grace)
			case 7:
				return texts(b, i, &m.Finalizers)
			}
			return compact.Text(b, i, [...]*string{&m.Name, &m.Namespace, &m.UID, &m.ResourceVersion, &m.Continue, &m.DeletionTimestamp}[n])
		})
	})
}

// texts reads the array of strings that begins at b[i], and returns the index after it, or -1.
func texts(b []byte, i int, all *[]string) int {
	if i >= len(b) || b[i] != '[' {
		return -1
	}
	for i++; i < len(b); i++ {
		var s string
		if i = compact.Text(b, i, &s); i < 0 || i >= len(b) {
			return -1
		}
		*all = append(*all, s)
		switch b[i] {
		case ']':
			return i + 1
		case ',':
		default:
			return -1
		}
	}
	return -1
}
