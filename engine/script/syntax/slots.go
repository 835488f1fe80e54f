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
	term  error                                                   // what is said to be missing where nothing stands
	read  func(m *Parsed, w Word, at any) (wrong error)           // takes a word in; at is where the command has the value
	write func(w *writer, c *world.Command, at any) (text string) // "" for nothing
}

// slots are all slots, by the words that stand for them in forms.
var slots = []slot{
	{"KIND", fault.Plain("aKind"), reference(func(r *references) *Word { return &r.Kind }), (*writer).writeInformer},
	{"INFORMER", fault.Plain("anInformer"), reference(func(r *references) *Word { return &r.Informer }), (*writer).writeInformer},
	{"NS/NAME", fault.Plain("anObject"), reference(func(r *references) *Word { return &r.Object }), (*writer).writeObject},
	{"KEY", AKey, reference(func(r *references) *Word { return &r.Key }), (*writer).writeKey},
	{"KEY …", AKey, (*Parsed).readKeys, (*writer).writeKeys},
	{"LABEL=VALUE …", aLabel, (*Parsed).readLabel, (*writer).writeLabels},
	{"HANDLER", AHandler, reference(func(r *references) *Word { return &r.Handler }), (*writer).writeHandler},
	{"NAME", AName, reference(func(r *references) *Word { return &r.Name }), (*writer).writeName},
	{"TIME", fault.Plain("aTime"), (*Parsed).readTime, (*writer).writeTime},
	{"TIME|forever", fault.Plain("aPace"), (*Parsed).readTimeOrForever, (*writer).writeTimeOrForever},
	{"SECONDS", fault.Plain("someSeconds"), (*Parsed).readSeconds, (*writer).writeSeconds},
	{"LABEL", aLabel, (*Parsed).readIndex, (*writer).writeIndex},
	{"N", ANumber, (*Parsed).readNumber, (*writer).writeNumber},
	{"N|all", fault.Plain("aCount"), (*Parsed).readNumberOrAll, (*writer).writeNumberOrAll},
	{"TIMES", ANumber, (*Parsed).readTimes, (*writer).writeTimes},
	{"SHARD", fault.Plain("aShard"), (*Parsed).readShard, (*writer).writeShard},
	{"FAILURE", fault.Plain("aFailure"), (*Parsed).readFailure, (*writer).writeFailure},
}

// reference returns what takes a word in that is played later.
func reference(field func(*references) *Word) func(m *Parsed, w Word, at any) error {
	return func(m *Parsed, w Word, _ any) error {
		*field(&m.references) = w
		return nil
	}
}

func slotNamed(name string) *slot {
	for i := range slots {
		if slots[i].name == name {
			return &slots[i]
		}
	}
	panic("script: there is no slot " + name)
}

func (w *writer) writeInformer(c *world.Command, _ any) string {
	return Quote(w.config(c.Informer).Name)
}

func (w *writer) writeObject(c *world.Command, _ any) string {
	return ObjectName(w.table(c), c.Object)
}

// writeKey writes the key that a command has, or the object that a call on the
// queue is given.
func (w *writer) writeKey(c *world.Command, _ any) string {
	t := w.table(c)
	if c.Object.Key == 0 && len(c.Refs) > 0 {
		return ObjectName(t, t.Meta(c.Refs[0]))
	}
	return Quote(t.KeyText(c.Object.Key))
}

func (m *Parsed) readKeys(w Word, _ any) error {
	m.Keys = append(m.Keys, strings.Fields(strings.Trim(w.Text, "[]"))...)
	return nil
}

func (w *writer) writeKeys(c *world.Command, _ any) string {
	t := w.table(c)
	var names []string
	for _, r := range c.Refs {
		names = append(names, ObjectName(t, t.Meta(r)))
	}
	return strings.Join(names, " ")
}

func (m *Parsed) readLabel(w Word, _ any) error {
	name, value, _ := strings.Cut(w.Text, "=")
	m.Labels = append(m.Labels, name, Unquote(value))
	return nil
}

func (w *writer) writeLabels(c *world.Command, _ any) string {
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

// ObjectName returns an object's name in the lines of commands.
func ObjectName(t *object.Table, m object.Meta) string {
	if m.Namespace == 0 {
		return Quote(t.Text(m.Name))
	}
	return Quote(t.Text(m.Namespace) + "/" + t.Text(m.Name))
}

func (w *writer) writeHandler(c *world.Command, _ any) string {
	return Quote(w.config(c.Informer).Handlers[c.Listener].Name)
}

func (*writer) writeName(c *world.Command, _ any) string { return Quote(c.Handler.Name) }

func (*Parsed) readTime(w Word, at any) error {
	ns, ok := Duration(w.Text)
	if !ok {
		return WantsTime(w.Text)
	}
	*at.(*int64) = ns
	return nil
}

func (*writer) writeTime(_ *world.Command, at any) string {
	if ns := *at.(*int64); ns >= 0 {
		return TimeText(ns)
	}
	return ""
}

func (m *Parsed) readTimeOrForever(w Word, at any) error {
	if w.Text == "forever" {
		*at.(*int64) = -1
		return nil
	}
	return m.readTime(w, at)
}

func (w *writer) writeTimeOrForever(c *world.Command, at any) string {
	if *at.(*int64) < 0 {
		return "forever"
	}
	return w.writeTime(c, at)
}

func (*Parsed) readSeconds(w Word, at any) error {
	ns, ok := Duration(w.Text)
	if !ok || ns%Second != 0 || ns/Second >= math.MaxInt32 {
		return fault.Quoted("expectedSeconds text", w.Text)
	}
	*at.(*apiserver.RetryAfter) = apiserver.AfterSeconds(int32(ns / Second))
	return nil
}

func (*writer) writeSeconds(_ *world.Command, at any) string {
	if ns := at.(*apiserver.RetryAfter).Nanoseconds(); ns >= 0 {
		return TimeText(ns)
	}
	return ""
}

func (m *Parsed) readIndex(w Word, _ any) error {
	m.Command.Index = w.Text
	return nil
}

func (*writer) writeIndex(c *world.Command, _ any) string { return Quote(c.Index) }

func (*Parsed) readNumber(w Word, at any) error {
	n, ok := Number(w, 1<<40)
	if !ok {
		return WantsNumber(w.Text)
	}
	*at.(*int64) = n
	return nil
}

func (*writer) writeNumber(_ *world.Command, at any) string {
	return strconv.FormatInt(*at.(*int64), 10)
}

// maxTimes is how often one line may make a call.
const maxTimes = 1000

func (*Parsed) readTimes(w Word, at any) error {
	n, ok := Number(w, maxTimes)
	if !ok || n == 0 {
		return WantsNumberTo(w.Text, maxTimes)
	}
	*at.(*int64) = n
	return nil
}

// writeTimes writes nothing: each call is an input of its own.
func (*writer) writeTimes(*world.Command, any) string { return "" }

func (m *Parsed) readNumberOrAll(w Word, at any) error {
	if w.Text == "all" {
		*at.(*int64) = -1
		return nil
	}
	return m.readNumber(w, at)
}

func (w *writer) writeNumberOrAll(c *world.Command, at any) string {
	switch n := *at.(*int64); {
	case n == 0 && c.Kind == world.FailRequests:
		return "" // its failure says so
	case n < 0:
		return "all"
	}
	return w.writeNumber(c, at)
}

// maxShards is the most shards that there may be.
const maxShards = 64

// ReadShard reads INDEX/TOTAL, behind namespace: or uid: for the field whose hash counts.
func ReadShard(text string) (s object.Shard, wrong error) {
	whole := text
	if key, rest, keyed := strings.Cut(text, ":"); keyed {
		text = rest
		if s.Key, wrong = ReadShardKey(key); wrong != nil {
			return s, wrong
		}
	}
	index, total, _ := strings.Cut(text, "/")
	i, isIndex := Number(Word{Text: index}, maxShards)
	n, isTotal := Number(Word{Text: total}, maxShards)
	if !isIndex || !isTotal || i >= n {
		return s, fault.Quoted("expectedShard text", whole)
	}
	s.Index, s.Total = int16(i), int16(n)
	return s, nil
}

// ReadShardKey reads the field whose hash counts.
func ReadShardKey(text string) (k object.ShardKey, wrong error) {
	for k := range object.NumShardKeys {
		if k.String() == text {
			return k, nil
		}
	}
	return 0, fault.Quoted("expectedShard text", text)
}

func (m *Parsed) readShard(w Word, _ any) (wrong error) {
	m.Command.Shard, wrong = ReadShard(w.Text)
	return wrong
}

func (*writer) writeShard(c *world.Command, _ any) string { return c.Shard.Name() }

// failures by the names that scripts know them by.
var failures = []struct {
	name    string
	failure apiserver.Failure
}{
	{"none", apiserver.NoFailure}, {"expired", apiserver.Expired}, {"gone", apiserver.Gone}, {"toolarge", apiserver.TooLarge},
	{"toomany", apiserver.TooManyRequests}, {"internal", apiserver.InternalError}, {"refused", apiserver.Refused},
	{"reset", apiserver.Reset}, {"badrequest", apiserver.BadRequest}, {"unauthorized", apiserver.Unauthorized},
	{"forbidden", apiserver.Forbidden}, {"notfound", apiserver.NotFound}, {"other", apiserver.OtherFailure},
}

func (m *Parsed) readFailure(w Word, _ any) error {
	for _, f := range failures {
		if f.name == w.Text {
			if m.Command.Failure = f.failure; f.failure == apiserver.NoFailure {
				m.Command.N = 0
			}
			return nil
		}
	}
	var names []string
	for _, f := range failures {
		names = append(names, f.name)
	}
	return fault.Unknown("noFailure name", w.Text, names)
}

func (*writer) writeFailure(c *world.Command, _ any) string {
	for _, f := range failures {
		if f.failure == c.Failure && c.N != 0 {
			return f.name
		}
	}
	return failures[0].name
}
