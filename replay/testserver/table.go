package testserver

import (
	"fmt"
	"time"
)

// custom reports whether the resource is a custom one, which has no columns of its own.
func (k *kind) custom() bool { return k.number >= len(builtIn) }

// tableOf is a Table of objects, as of a custom resource that asks for no columns. Of a watch,
// only the first event has the head.
func (r *request) tableOf(meta tree, head bool, objects ...tree) tree {
	rows := make([]any, 0, len(objects))
	for _, o := range objects {
		row := tree{"cells": []any{metaOf(o)["name"], age(text(metaOf(o), "creationTimestamp"))}}
		switch r.query.Get("includeObject") {
		case "None":
			row["object"] = nil
		case "Object":
			row["object"] = o
		default:
			row["object"] = partial(o)
		}
		rows = append(rows, row)
	}
	t := tree{"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": meta, "columnDefinitions": nil, "rows": rows}
	if head {
		t["columnDefinitions"] = []any{
			tree{"name": "Name", "type": "string", "format": "name", "description": nameColumn, "priority": 0},
			tree{"name": "Age", "type": "date", "format": "", "description": ageColumn, "priority": 0},
		}
	}
	return t
}

// The descriptions of the columns are those of the API.
const (
	nameColumn = "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names"
	ageColumn  = "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata"
)

// age is how long ago an object was made, as tables have it: two units at most, and the
// smaller one only where the larger is a small number.
func age(created string) string {
	at, err := time.Parse(time.RFC3339, created)
	if err != nil {
		return "<unknown>"
	}
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	d := max(time.Since(at), 0)
	for _, u := range []struct {
		below       time.Duration
		unit, small time.Duration
		name, and   string
	}{
		{2 * time.Minute, time.Second, 0, "s", ""},
		{10 * time.Minute, time.Minute, time.Second, "m", "s"},
		{3 * time.Hour, time.Minute, 0, "m", ""},
		{8 * time.Hour, time.Hour, time.Minute, "h", "m"},
		{2 * day, time.Hour, 0, "h", ""},
		{8 * day, day, time.Hour, "d", "h"},
		{2 * year, day, 0, "d", ""},
		{8 * year, year, day, "y", "d"},
	} {
		if d >= u.below {
			continue
		}
		out := fmt.Sprint(int64(d/u.unit), u.name)
		if u.small != 0 && d%u.unit/u.small != 0 {
			out += fmt.Sprint(int64(d%u.unit/u.small), u.and)
		}
		return out
	}
	return fmt.Sprint(int64(d/year), "y")
}
