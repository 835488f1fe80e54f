package try

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/plain"
)

// calmRuns is how many runs without faults come first if the command writes. mostCalm is how many there are at most: when the
// command turns out to create what it also reads, the script no longer writes that, and they begin again.
const calmRuns, mostCalm = 3, 6

// calm returns the ID of a run without faults.
func calm(i int) string { return fmt.Sprint("calm", i) }

// scripted matches names and values of the script. The second group is the ID of a fault, or of a run without faults.
var scripted = func() *regexp.Regexp {
	ids := []string{"[0-9]+"} // of many objects
	for _, f := range faults {
		ids = append(ids, f.ID)
	}
	for i := range mostCalm {
		ids = append(ids, calm(i+1))
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return regexp.MustCompile("try-([a-z]+)-(" + strings.Join(ids, "|") + ")")
}()

// anyRun stands for the ID in what is compared.
const anyRun = "@"

// tidy replaces the IDs in a text.
func tidy(s string) string { return scripted.ReplaceAllString(s, "try-$1-"+anyRun) }

// comparedObject is an object as it is compared: without uid, version, times and generated name.
type comparedObject struct {
	uid    string
	group  string // its kind, namespace and owner
	name   string
	fields map[string]string // all but metadata and status, in JSON by their paths
}

// id is what tells an object from others.
func (t *comparedObject) id() string { return strings.TrimSpace(t.group + "\n" + t.name) }

// scriptField has what the script wrote last to an object.
const scriptField = "what the script wrote"

// stored is an object on the server.
type stored struct {
	Kind     string
	Metadata struct {
		UID, Name, GenerateName, Namespace string
		Annotations                        map[string]string
		OwnerReferences                    []reference
	}
	path string // of its kind
	raw  []byte
}

type reference struct {
	UID, Kind, Name string
	Controller      bool
}

// owner returns the uid of the controller that owns o, or of the first owner, and what o calls it.
func (o *stored) owner() (uid, name string) {
	all := o.Metadata.OwnerReferences
	if len(all) == 0 {
		return "", ""
	}
	i := max(0, slices.IndexFunc(all, func(r reference) bool { return r.Controller }))
	return all[i].UID, all[i].Kind + " " + tidy(all[i].Name)
}

// name returns the name without what was generated of it.
func (o *stored) name() string {
	if g := o.Metadata.GenerateName; g != "" && strings.HasPrefix(o.Metadata.Name, g) {
		return tidy(g) + "…"
	}
	return tidy(o.Metadata.Name)
}

// stored returns the objects of the kinds that the command and the script have written, by their uids.
func (l *lane) stored() (map[string]*stored, error) {
	all := map[string]*stored{}
	for _, k := range l.server.Resources() {
		name := resourceOf(k.Group, k.Name)
		if slices.Contains(ownUse, k.Name) || l.wire.lastWrite(func(w *written) bool { return w.resource == name }) == nil && !slices.ContainsFunc(l.script, func(t *target) bool { return t.r.resource() == name }) {
			continue
		}
		path := pathOf(&k, "")
		b, err := l.send(http.MethodGet, path, nil, http.StatusNotFound)
		var list struct{ Items []json.RawMessage }
		if err == nil {
			err = json.Unmarshal(b, &list)
		}
		for _, raw := range list.Items {
			o := &stored{path: path, raw: raw}
			if err == nil {
				err = json.Unmarshal(raw, o)
			}
			o.Kind = k.Kind // items of a list have none
			all[o.Metadata.UID] = o
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// lastWrite returns the command's last write of an object, nil for none.
func (l *lane) lastWrite(uid string) *written {
	return l.wire.lastWrite(func(w *written) bool { return w.uid == uid })
}

// created returns when the command created an object.
func (l *lane) created(uid string) (at time.Time) {
	if w := l.wire.lastWrite(func(w *written) bool { return w.uid == uid && w.created }); w != nil {
		at = w.at
	}
	return at
}

// comparedObjects returns what the command and the script have written that is there, by what tells it from others. What has to do with
// another run is left out.
func (l *lane) comparedObjects() (map[string][]*comparedObject, error) {
	there, err := l.stored()
	if err != nil {
		return nil, err
	}
	all := map[string][]*comparedObject{}
	for uid, o := range there {
		mine := slices.ContainsFunc(l.script, func(t *target) bool { return pathOf(&t.kind, "") == o.path }) && strings.HasPrefix(o.Metadata.Name, "try-")
		if !mine && l.lastWrite(uid) == nil {
			continue
		}
		this, another := false, false
		for owner, depth := o, 0; owner != nil && depth < 8; depth++ { // a pod may say of its job alone what it is about
			for _, m := range scripted.FindAllSubmatch(owner.raw, -1) {
				this, another = this || string(m[2]) == l.fault, another || string(m[2]) != l.fault
			}
			up, _ := owner.owner()
			owner = there[up]
		}
		if another && !this {
			continue
		}
		t := &comparedObject{uid: uid, group: o.Kind, name: o.name(), fields: map[string]string{}}
		if in := tidy(o.Metadata.Namespace); in != "" && in != namespace {
			t.group += " in " + in
		}
		if up, name := o.owner(); up != "" {
			if owner := there[up]; owner != nil {
				name = owner.Kind + " " + owner.name()
			}
			t.group += " of " + name
		}
		var rest map[string]any
		d := json.NewDecoder(bytes.NewReader(o.raw))
		d.UseNumber()
		if err := d.Decode(&rest); err != nil {
			return nil, err
		}
		for _, name := range []string{"apiVersion", "kind", "metadata", "status"} {
			delete(rest, name)
		}
		t.flatten("", rest)
		if mine {
			t.fields[scriptField] = tidy(o.Metadata.Annotations[annotation])
		}
		all[t.id()] = append(all[t.id()], t)
	}
	for _, things := range all {
		slices.SortFunc(things, func(a, b *comparedObject) int { return cmp.Compare(a.uid, b.uid) })
	}
	return all, nil
}

// flatten adds the fields of a value.
func (t *comparedObject) flatten(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, v := range v {
			t.flatten(strings.TrimPrefix(path+"."+name, "."), v)
		}
	case []any:
		for i, v := range v {
			t.flatten(fmt.Sprintf("%s[%d]", path, i), v)
		}
	default:
		b, _ := json.Marshal(v) // it was JSON
		t.fields[path] = tidy(string(b))
	}
}

// usual is what the runs without faults have in common.
type usual struct {
	runs  []map[string][]*comparedObject
	loose map[string]bool // groups whose names differ among the runs, so that only their number counts
}

// newUsual returns what runs have in common.
func newUsual(runs []map[string][]*comparedObject) *usual {
	u := &usual{loose: map[string]bool{}}
	for _, a := range runs {
		for _, b := range runs {
			for id, things := range a {
				if len(b[id]) == 0 {
					u.loose[things[0].group] = true
				}
			}
		}
	}
	for _, run := range runs {
		u.runs = append(u.runs, u.merge(run))
	}
	return u
}

// merge leaves out the names of the loose groups.
func (u *usual) merge(run map[string][]*comparedObject) map[string][]*comparedObject {
	merged := map[string][]*comparedObject{}
	for id, things := range run {
		if group := things[0].group; u.loose[group] {
			id = group
		}
		merged[id] = append(merged[id], things...)
	}
	return merged
}

// values returns what things have in a field, in order; "" stands for nothing.
func values(things []*comparedObject, field string) (all []string) {
	for _, t := range things {
		all = append(all, t.fields[field])
	}
	slices.Sort(all)
	return all
}

// equal returns what is true of each run, and whether it is the same for all.
func equal[T any](u *usual, value func(run map[string][]*comparedObject) T, same func(a, b T) bool) (first T, is bool) {
	first = value(u.runs[0])
	for _, run := range u.runs[1:] {
		if !same(first, value(run)) {
			return first, false
		}
	}
	return first, true
}

// varies returns what isn't compared, because the runs without faults differ in it.
func (u *usual) varies() (all []string) {
	for _, run := range u.runs {
		for id, things := range run {
			if _, same := equal(u, func(r map[string][]*comparedObject) int { return len(r[id]) }, func(a, b int) bool { return a == b }); !same {
				all = append(all, "number of "+inWords(id, ""))
				continue
			}
			for _, t := range things {
				for field := range t.fields {
					if _, same := equal(u, func(r map[string][]*comparedObject) []string { return values(r[id], field) }, slices.Equal); !same {
						all = append(all, inWords(id, "")+" "+field)
					}
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// inWords names an object: "Secret try-kept-410-data of ConfigMap try-kept-410". Without a run, the ID is left open.
func inWords(id, run string) string {
	group, name, _ := strings.Cut(id, "\n")
	kind, rest, _ := strings.Cut(group, " ")
	if run != "" {
		name, rest = strings.ReplaceAll(name, anyRun, run), strings.ReplaceAll(rest, anyRun, run)
	}
	return strings.Join(slices.DeleteFunc([]string{kind, name, rest}, func(s string) bool { return s == "" }), " ")
}

// differences returns what is missing, too much, or not as without faults.
func (l *lane) differences() (all []Problem, err error) {
	now, err := l.comparedObjects()
	if err != nil {
		return nil, err
	}
	now = l.usual.merge(now)
	ids := maps.Clone(now)
	for _, run := range l.usual.runs {
		maps.Copy(ids, run)
	}
	say := func(w ProblemID, t *comparedObject, format string, args ...any) {
		p := Problem{ID: w, Text: fmt.Sprintf(format, args...), Time: l.at}
		if t != nil {
			if last := l.lastWrite(t.uid); last != nil {
				p.Time = last.at.Sub(l.began)
				when := "before the fault"
				if since := last.at.Sub(l.faultAt); since > 0 {
					when = plain.Duration(int64(since)) + " after the fault began"
				}
				p.Text += fmt.Sprintf("; the command's last write of it was %s %s", last.verb, when)
			}
		}
		all = append(all, p)
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		things, what := now[id], inWords(id, l.fault)
		want, same := equal(l.usual, func(r map[string][]*comparedObject) int { return len(r[id]) }, func(a, b int) bool { return a == b })
		switch n := len(things); {
		case !same:
			continue
		case n < want:
			say(Missing, nil, "%s: %d, and %d without faults", what, n, want)
			continue
		case n > want:
			newest := slices.MaxFunc(things, func(a, b *comparedObject) int { return l.created(a.uid).Compare(l.created(b.uid)) })
			say(Extra, newest, "%s: %d, and %d without faults", what, n, want)
			continue
		}
		fields := map[string]bool{}
		for _, run := range append([]map[string][]*comparedObject{now}, l.usual.runs...) {
			for _, t := range run[id] {
				for field := range t.fields {
					fields[field] = true
				}
			}
		}
		for _, field := range append([]string{scriptField}, slices.Sorted(maps.Keys(fields))...) {
			want, same := equal(l.usual, func(r map[string][]*comparedObject) []string { return values(r[id], field) }, slices.Equal)
			if !same || slices.Equal(want, values(things, field)) {
				continue
			}
			odd := things[max(0, slices.IndexFunc(things, func(t *comparedObject) bool { return !slices.Contains(want, t.fields[field]) }))]
			w := Differs
			if field == scriptField {
				w = Undone
			}
			say(w, odd, "%s: %s is %s, and %s without faults", what, field, strings.Join(orNothing(values(things, field)), ", "), strings.Join(orNothing(want), ", "))
			break // one field tells enough
		}
	}
	return all, nil
}

// orNothing names values that aren't there.
func orNothing(values []string) []string {
	for i, v := range values {
		values[i] = strings.ReplaceAll(cmp.Or(v, "nothing"), "-"+anyRun, "")
	}
	return values
}

// compare waits until the outcome is as without faults, and stays so for a while. It returns what isn't.
func (l *lane) compare(limit time.Duration) (problems []Problem, err error) {
	since, at := l.lived, moment{revision: -1}
	got := l.wait(limit, func() bool {
		if now := l.now(); now != at {
			was := len(problems)
			if problems, err = l.differences(); err != nil {
				return true
			}
			if at = now; len(problems) > 0 || was > 0 {
				since = l.lived
			}
		}
		return len(problems) == 0 && l.lived-since > l.pace.look
	})
	if got == stopped {
		err = l.ctx.Err()
	}
	return problems, err
}

// learn plays the script without faults, and notes what comes of it if the command writes. What comes of all runs is looked at in the end,
// so that what is written late is seen, too.
func (l *lane) learn() error {
	var ids []string
	for i, failed := 0, 0; i < mostCalm && failed < 2; i++ {
		if l.process == nil {
			if err := l.begin(); isStart(err) {
				return nil
			} else if err != nil {
				return err
			}
		}
		run := &fault{ID: calm(i + 1), Text: "a run without faults", calm: true, carryOut: func(_ *lane, _ *fault, during func() error) (bool, error) { return true, during() }}
		l.limit = min(cmp.Or(l.o.Within, l.pace.within), time.Until(l.deadline)/time.Duration(mostCalm))
		v, err := l.play(run)
		if err == nil && v.lost() {
			failed++
			if err = l.stop(); err == nil {
				continue
			}
		}
		if err != nil || l.wire.lastWrite(func(w *written) bool {
			name, _, _ := strings.Cut(w.resource, ".")
			return !slices.Contains(ownUse, name)
		}) == nil {
			return err
		}
		var things map[string][]*comparedObject
		since := l.lived
		l.wait(l.limit, func() bool {
			was := things
			if things, err = l.comparedObjects(); !reflect.DeepEqual(was, things) {
				since = l.lived
			}
			return err != nil || l.lived-since > l.pace.hold
		})
		inputs, failed := l.targets()
		if err = cmp.Or(err, failed, l.ctx.Err()); err != nil {
			return err
		}
		if len(inputs) != len(l.script) {
			ids = nil
			continue
		}
		if ids = append(ids, run.ID); len(ids) < calmRuns {
			continue
		}
		var runs []map[string][]*comparedObject
		for _, l.fault = range ids {
			if things, err = l.comparedObjects(); err != nil {
				return err
			}
			runs = append(runs, things)
		}
		l.usual = newUsual(runs)
		return nil
	}
	return nil
}
