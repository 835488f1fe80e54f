package record

import (
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// asksForTable reports whether the answer may be a Table, as for kubectl get.
func asksForTable(accept string) bool { return strings.Contains(accept, "as=Table") }

// untabled returns the list of the objects that a Table's rows have, or b if it is no Table or a row has none.
func untabled(b []byte) []byte {
	rows := rowsOf(b)
	if rows == nil {
		return b
	}
	out := []byte(`{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1",`)
	if from, to, ok := jsonscan.Field(b, "metadata"); ok {
		out = append(append(append(out, `"metadata":`...), b[from:to]...), ',')
	}
	out, all := append(out, `"items":[`...), true
	first := true
	jsonscan.Elements(rows, func(_, from, to int) bool {
		row := rows[from:to]
		at, end, ok := jsonscan.Field(row, "object")
		if all = ok && row[at] == '{'; !all {
			return false
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(out, row[at:end]...)
		return true
	})
	if !all {
		return b
	}
	return append(out, `]}`...)
}

// untabledEvent returns a watch event with the object of the Table's row in the place of the Table, or line if it has no such object.
func untabledEvent(line []byte) []byte {
	from, to, ok := jsonscan.Field(line, "object")
	if !ok {
		return line
	}
	var object []byte
	rows := rowsOf(line[from:to])
	jsonscan.Elements(rows, func(_, from, to int) bool {
		if at, end, ok := jsonscan.Field(rows[from:to], "object"); ok {
			object = rows[from:to][at:end]
		}
		return false
	})
	if len(object) == 0 || object[0] != '{' {
		return line
	}
	return append(append(append([]byte(nil), line[:from]...), object...), line[to:]...)
}

// rowsOf returns the rows of a Table, or nil if b is no Table.
func rowsOf(b []byte) []byte {
	if from, to, ok := jsonscan.Field(b, "kind"); !ok || string(b[from:to]) != `"Table"` {
		return nil
	}
	if from, to, ok := jsonscan.Field(b, "rows"); ok && b[from] == '[' {
		return b[from:to]
	}
	return nil
}
