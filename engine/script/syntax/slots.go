package syntax

import (
	"math"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// slot is a place in a form that is filled in.
type slot struct {
	name  string
	what  error                                                   // what is said to be missing where nothing stands
	read  func(m *Made, w Word, at any) (wrong error)             // takes a word in; at is where the command has the value
	write func(w *writer, c *world.Command, at any) (text string) // "" for nothing
}

// slots are all slots, by the words that stand for them in forms.
var slots = []slot{
	{"KIND", fault.Plain("aKind"), readKind, writeInformer},
	{"INFORMER", fault.Plain("anInformer"), readInformer, writeInformer},
	{"NS/NAME", fault.Plain("anObject"), readObject, writeObject},
	{"KEY", AKey, readKey, writeKey},
	{"KEY …", AKey, readKeys, writeKeys},
	{"LABEL=VALUE …", aLabel, readLabel, writeLabels},
	{"HANDLER", AHandler, readHandler, writeHandler},
	{"NAME", AName, readName, writeName},
	{"TIME", fault.Plain("aTime"), readTime, writeTime},
	{"TIME|forever", fault.Plain("aPace"), readTimeOrForever, writeTimeOrForever},
	{"SECONDS", fault.Plain("someSeconds"), readSeconds, writeSeconds},
	{"LABEL", aLabel, readIndex, writeIndex},
	{"N", ANumber, readNumber, writeNumber},
	{"N|all", fault.Plain("aCount"), readNumberOrAll, writeNumberOrAll},
	{"TIMES", ANumber, readTimes, writeTimes},
	{"FAILURE", fault.Plain("aFailure"), readFailure, writeFailure},
}

func slotNamed(name string) *slot {
	for i := range slots {
		if slots[i].name == name {
			return &slots[i]
		}
	}
	panic("script: there is no slot " + name)
}

func readKind(m *Made, w Word, _ any) error {
	m.Kind = w
	return nil
}

func readInformer(m *Made, w Word, _ any) error {
	m.Informer = w
	return nil
}

func writeInformer(w *writer, c *world.Command, _ any) string {
	return Quote(w.config(c.Informer).Name)
}

func readObject(m *Made, w Word, _ any) error {
	m.Object = w
	return nil
}

func writeObject(w *writer, c *world.Command, _ any) string {
	return ObjectName(w.table(c), c.Object)
}

func readKey(m *Made, w Word, _ any) error {
	m.Key = w
	return nil
}

// writeKey writes the key that a command has, or the object that a call on the
// queue is given.
func writeKey(w *writer, c *world.Command, _ any) string {
	t := w.table(c)
	if c.Object.Key == 0 && len(c.Refs) > 0 {
		return ObjectName(t, t.Meta(c.Refs[0]))
	}
	return Quote(t.KeyText(c.Object.Key))
}

func readKeys(m *Made, w Word, _ any) error {
	m.Keys = append(m.Keys, strings.Fields(strings.Trim(w.Text, "[]"))...)
	return nil
}

func writeKeys(w *writer, c *world.Command, _ any) string {
	t := w.table(c)
	var names []string
	for _, r := range c.Refs {
		names = append(names, ObjectName(t, t.Meta(r)))
	}
	return strings.Join(names, " ")
}

func readLabel(m *Made, w Word, _ any) error {
	name, value, _ := strings.Cut(w.Text, "=")
	m.Labels = append(m.Labels, name, Unquote(value))
	return nil
}

func writeLabels(w *writer, c *world.Command, _ any) string {
	t, set := w.table(c), c.Object.Labels
	if c.Object.Key == 0 && len(c.Refs) > 0 {
		set = t.LabelSetOf(c.Refs[0])
	}
	var words []string
	for _, l := range t.LabelsOf(set) {
		words = append(words, t.Text(l.Name)+"="+Quote(t.Text(l.Value)))
	}
	return strings.Join(words, " ")
}

// ObjectName is an object's name in the lines of commands.
func ObjectName(t *object.Table, m object.Meta) string {
	if m.Namespace == 0 {
		return Quote(t.Text(m.Name))
	}
	return Quote(t.Text(m.Namespace) + "/" + t.Text(m.Name))
}

func readHandler(m *Made, w Word, _ any) error {
	m.Handler = w
	return nil
}

func writeHandler(w *writer, c *world.Command, _ any) string {
	return Quote(w.config(c.Informer).Handlers[c.Listener].Name)
}

func readName(m *Made, w Word, _ any) error {
	m.Name = w
	return nil
}

func writeName(_ *writer, c *world.Command, _ any) string { return Quote(c.Handler.Name) }

func readTime(_ *Made, w Word, at any) error {
	ns, ok := Duration(w.Text)
	if !ok {
		return WantsTime
	}
	*at.(*int64) = ns
	return nil
}

func writeTime(_ *writer, _ *world.Command, at any) string {
	if ns := *at.(*int64); ns >= 0 {
		return TimeText(ns)
	}
	return ""
}

func readTimeOrForever(m *Made, w Word, at any) error {
	if w.Text == "forever" {
		*at.(*int64) = -1
		return nil
	}
	return readTime(m, w, at)
}

func writeTimeOrForever(w *writer, c *world.Command, at any) string {
	if *at.(*int64) < 0 {
		return "forever"
	}
	return writeTime(w, c, at)
}

func readSeconds(_ *Made, w Word, at any) error {
	ns, ok := Duration(w.Text)
	if !ok || ns%Second != 0 || ns/Second >= math.MaxInt32 {
		return fault.Plain("expectedSeconds")
	}
	*at.(*apiserver.RetryAfter) = apiserver.AfterSeconds(int32(ns / Second))
	return nil
}

func writeSeconds(_ *writer, _ *world.Command, at any) string {
	if ns := at.(*apiserver.RetryAfter).Nanoseconds(); ns >= 0 {
		return TimeText(ns)
	}
	return ""
}

func readIndex(m *Made, w Word, _ any) error {
	m.Command.Index = w.Text
	return nil
}

func writeIndex(_ *writer, c *world.Command, _ any) string { return Quote(c.Index) }

func readNumber(_ *Made, w Word, at any) error {
	n, ok := Number(w, 1<<40)
	if !ok {
		return WantsNumber
	}
	*at.(*int64) = n
	return nil
}

func writeNumber(_ *writer, _ *world.Command, at any) string {
	return strconv.FormatInt(*at.(*int64), 10)
}

// maxTimes is how often one line may make a call.
const maxTimes = 1000

func readTimes(_ *Made, w Word, at any) error {
	n, ok := Number(w, maxTimes)
	if !ok || n == 0 {
		return fault.Number("expectedUpTo max", maxTimes)
	}
	*at.(*int64) = n
	return nil
}

// writeTimes writes nothing: each call is an input of its own.
func writeTimes(*writer, *world.Command, any) string { return "" }

func readNumberOrAll(m *Made, w Word, at any) error {
	if w.Text == "all" {
		*at.(*int64) = -1
		return nil
	}
	return readNumber(m, w, at)
}

func writeNumberOrAll(w *writer, c *world.Command, at any) string {
	switch n := *at.(*int64); {
	case n == 0 && c.Kind == world.FailRequests:
		return "" // its failure says so
	case n < 0:
		return "all"
	}
	return writeNumber(w, c, at)
}

// failures by the names that scripts know them by.
var failures = []struct {
	name string
	is   apiserver.Failure
}{
	{"none", apiserver.NoFailure}, {"expired", apiserver.Expired}, {"gone", apiserver.Gone}, {"toolarge", apiserver.TooLarge},
	{"toomany", apiserver.TooManyRequests}, {"internal", apiserver.InternalError}, {"refused", apiserver.Refused},
	{"reset", apiserver.Reset}, {"other", apiserver.OtherFailure},
}

func readFailure(m *Made, w Word, _ any) error {
	for _, f := range failures {
		if f.name == w.Text {
			if m.Command.Failure = f.is; f.is == apiserver.NoFailure {
				m.Command.N = 0
			}
			return nil
		}
	}
	return fault.Quoted("noFailure name", w.Text)
}

func writeFailure(_ *writer, c *world.Command, _ any) string {
	for _, f := range failures {
		if f.is == c.Failure && c.N != 0 {
			return f.name
		}
	}
	return failures[0].name
}
