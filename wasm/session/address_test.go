package session

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// visit is a browser's history in which each entry has an address.
type visit struct {
	*game
	entries []navigation.Returned
	at      int
}

// arrive is a visit that begins at an address.
func arrive(t *testing.T, fragment string) *visit {
	v := &visit{game: &game{t: t, m: full()}, entries: []navigation.Returned{{Fragment: fragment}}}
	v.do(v.entries[0], Started{}, Spoke{"en", map[string]string{"step.start": "Nothing yet."}})
	return v
}

func (v *visit) do(messages ...Msg) {
	for _, msg := range messages {
		v.cmds = nil
		v.play(msg)
		for _, c := range v.cmds {
			if p, ok := c.(navigation.Push); ok {
				if !p.Instead {
					v.entries, v.at = append(v.entries[:v.at+1:v.at+1], navigation.Returned{}), v.at+1
				}
				v.entries[v.at] = navigation.Returned{Place: p.Place, Fragment: p.Fragment}
			}
		}
	}
}

// browse presses the browser's own Back or Forward.
func (v *visit) browse(by int) {
	v.at += by
	v.do(v.entries[v.at])
}

// addressIs checks what the browser shows, and how many entries it has.
func (v *visit) addressIs(fragment string, entries int) {
	v.t.Helper()
	if got := v.entries[v.at].Fragment; got != fragment || len(v.entries) != entries {
		v.t.Errorf("the address is %q of %d entries, want %q of %d: %+v", got, len(v.entries), fragment, entries, v.entries)
	}
}

// settle answers what was asked to be opened: as a lesson if it is one, else as a trace.
func (v *visit) settle() {
	v.t.Helper()
	q := last[link.Open](v.game)
	name := strings.TrimSuffix(q.Name, ".md")
	script := name != q.Name
	id := lastID[link.Open](v.game)
	v.do(Replied{&link.Reply{ID: id, News: &link.Opened{Name: q.Name, Script: script, HasSetup: true, Complete: true, Informers: []link.Informer{{Name: "pods"}}}}},
		Replied{&link.Reply{ID: id, News: &link.Frame{Steps: 100, Complete: true}}})
	if script {
		v.do(Replied{&link.Reply{News: &link.Lesson{Name: name, Stops: []int{0, 1, 3}, Parts: []link.LessonPart{
			{Kind: "paragraph"}, {Kind: "script", Label: "popped"}, {Kind: "paragraph"}, {Kind: "paragraph"},
		}}}})
	}
	v.do(Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
	v.do(Replied{&link.Reply{ID: lastID[link.Fit](v.game), News: &link.Frame{Steps: 100, Complete: true}}})
}

// stops answers that the lesson stands at stop n. The page must have asked for that stop.
func (v *visit) stops(n int) {
	v.t.Helper()
	q := last[link.GoStop](v.game)
	if q.Stop != n {
		v.t.Fatalf("it asks for stop %d, want %d", q.Stop, n)
	}
	id := lastID[link.GoStop](v.game)
	v.do(Replied{&link.Reply{ID: id, News: &link.Stopped{Stop: n}}},
		Replied{&link.Reply{ID: id, News: &link.Frame{Step: int64(n * 10), Steps: 100, Complete: true}}})
}

// opens checks what was asked to be opened last.
func (v *visit) opens(url string) {
	v.t.Helper()
	if got := last[link.Open](v.game); got.URL != url {
		v.t.Errorf("it opens %q, want %q", got.URL, url)
	}
}

func TestAnAddressOpensALessonAtAMoment(t *testing.T) {
	for fragment, stop := range map[string]int{"#lesson=ghost&at=popped": 1, "#lesson=ghost&at=3": 2, "#lesson=ghost&at=99": 2} {
		v := arrive(t, fragment)
		v.opens("lessons/en/ghost.md")
		v.addressIs(fragment, 1)
		v.settle()
		v.stops(stop)
		v.addressIs([]string{"", "#lesson=ghost&at=popped", "#lesson=ghost&at=3"}[stop], 1)
	}
	for _, fragment := range []string{"#lesson=ghost", "#lesson=ghost&at=", "#lesson=ghost&at=1", "#lesson=ghost&at=nowhere", "#lesson=ghost&at=-3"} {
		v := arrive(t, fragment)
		v.opens("lessons/en/ghost.md")
		v.settle()
		if v.m.Lesson.Learning.Stop != 0 || count[link.GoStop](v.game) > 0 {
			t.Errorf("%s is not at the beginning", fragment)
		}
		v.addressIs("#lesson=ghost", 1)
	}
}

// The address of a lesson has what the reader has chosen in its controls. Such an address opens
// the lesson with it, and another language keeps it.
// A link with a name that nothing has says so, and the rest of it is followed.
func TestAnAddressWithAnUnknownName(t *testing.T) {
	for fragment, id := range map[string]string{
		"#lesson=ghost&at=nobody":                          "fail.linkMoment",
		"#lesson=ghost&at=0":                               "fail.linkMoment",
		"#lesson=ghost&at=99":                              "fail.linkMoment",
		"#lesson=ghost&at=popped":                          "",
		"#lesson=ghost&at=1":                               "",
		"#lesson=ghost":                                    "",
		"#trace=shop&informer=dragons":                     "fail.linkName",
		"#trace=shop&informer=pods":                        "",
		"#library=11-resync&profile=v9.9":                  "fail.linkName",
		"#library=11-resync&profile=v0.34":                 "",
		"#trace=shop&tab=nobody":                           "fail.linkName",
		"#trace=shop&tab=lesson":                           "fail.linkName",
		"#trace=shop&tab=search":                           "",
		"#trace=shop&unit=year":                            "fail.linkName",
		"#trace=shop&unit=operation":                       "",
		"#trace=shop&axis=fate":                            "fail.linkName",
		"#trace=shop&axis=time":                            "",
		"#trace=shop&lang=tlh":                             "fail.linkName",
		"#trace=shop&lang=en":                              "",
		"#lesson=ghost&tab=nobody":                         "fail.linkName",
		"#lesson=ghost&unit=year":                          "fail.linkName",
		"#library=11-resync&at=nobody&profile=classic&f=1": "fail.linkStrange",
	} {
		v := arrive(t, fragment)
		v.settle()
		if count[link.GoStop](v.game) > 0 {
			v.stops(last[link.GoStop](v.game).Stop)
		}
		if count[link.SetUp](v.game) > 0 {
			id := lastID[link.SetUp](v.game)
			v.do(Replied{&link.Reply{ID: id, News: &link.Opened{Name: "shop", Complete: true, Informers: []link.Informer{{Name: "pods"}}}}},
				Replied{&link.Reply{ID: id, News: &link.Frame{Steps: 100, Complete: true}}}, Replied{&link.Reply{News: &link.Progress{Phase: link.Done}}})
			answer[link.Fit](v.game, 0)
		}
		if v.fails(id); t.Failed() {
			t.Fatal(fragment)
		}
	}
	// The viewer writes it while the lesson is open.
	v := arrive(t, "#lesson=ghost&at=popped")
	v.settle()
	v.stops(1)
	v.entries, v.at = append(v.entries, navigation.Returned{Fragment: "#lesson=ghost&at=nobody", Place: -1}), 1
	v.browse(0)
	v.fails("fail.linkMoment")
	v.addressIs("#lesson=ghost&at=popped", 2)
}

// The language changes while a lesson is on its way: it opens in the new one, at the same moment,
// with what was chosen, and the browser's history has no entry more.
func TestTheLanguageChangesOnTheWay(t *testing.T) {
	const fragment = "#lesson=ghost&at=popped&choose=takes+h+1s"
	v := arrive(t, fragment)
	v.do(Acted{Act: "lang", Arg: "zh"}, Spoke{"zh", map[string]string{"step.start": "还没有。"}})
	v.opens("lessons/zh/ghost.md")
	if q := last[link.Open](v.game); !slices.Equal(q.Chosen, []string{"takes h 1s"}) {
		t.Errorf("it is opened with %q", q.Chosen)
	}
	v.settle()
	v.stops(1)
	v.addressIs("#lesson=ghost&at=popped", 1)
	if s := v.m.Lesson.Learning.Stop; s != 1 {
		t.Errorf("the reader is at stop %d", s)
	}
}

// The moments of lessons that our own texts link to are there.
func TestOurAddressesLeadSomewhere(t *testing.T) {
	moment := regexp.MustCompile(`#lesson=([\w-]+)&at=([\w-]+)`)
	found := 0
	for _, name := range []string{"../../web/embed.md", "../README.md", "../address/address.go", "navigation/follow.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moment.FindAllStringSubmatch(string(text), -1) {
			found++
			if taught, err := os.ReadFile("../../web/lessons/en/" + m[1] + ".md"); err != nil || !strings.Contains(string(taught), "\n```script "+m[2]+"\n") {
				t.Errorf("%s leads to %s, which there isn't: %v", name, m[0], err)
			}
		}
	}
	if found < 4 {
		t.Errorf("our texts have %d such addresses", found)
	}
}

func TestAnAddressHasWhatIsChosen(t *testing.T) {
	v := arrive(t, "#lesson=ghost")
	v.settle()
	reply := func(chosen int) Replied {
		l := *v.m.Lesson.Learning.Lesson
		l.Parts = append(slices.Clone(l.Parts[:3:3]), link.LessonPart{Kind: "control", Controls: []link.Control{{Before: "takes h ", Choices: []string{"0s", "1s"}, Chosen: chosen}}})
		return Replied{&link.Reply{News: &l}}
	}
	v.do(reply(0))
	v.addressIs("#lesson=ghost", 1)
	v.do(reply(1))
	v.addressIs("#lesson=ghost&choose=takes+h+1s", 1)
	v.do(Acted{Act: "lang", Arg: "zh"})
	v.do(Spoke{"zh", map[string]string{"step.start": "还没有。"}})
	for _, v := range []*visit{v, arrive(t, "#lesson=ghost&choose=takes+h+1s")} {
		if q := last[link.Open](v.game); !slices.Equal(q.Chosen, []string{"takes h 1s"}) {
			t.Errorf("%s is opened with %q", q.URL, q.Chosen)
		}
	}

	v = arrive(t, "#lesson=ghost")
	v.settle()
	v.entries, v.at = append(v.entries, navigation.Returned{}), 1
	v.do(navigation.Returned{Place: -1, Fragment: "#lesson=ghost&choose=takes+h+0s"}) // the viewer follows a link to the lesson that is open
	if q := last[link.Open](v.game); !slices.Equal(q.Chosen, []string{"takes h 0s"}) || count[link.Open](v.game) != 2 {
		t.Errorf("it opens %s with %q", q.URL, q.Chosen)
	}
}

// Reading on changes the address of one entry. Back leaves the lesson for what was open
// before, at the step where the viewer was, and Forward enters the lesson where it was left.
func TestALessonIsAPlaceInTheHistory(t *testing.T) {
	v := arrive(t, "")
	v.settle()
	v.do(Chose{Name: "mine.json"})
	v.settle()
	v.do(Acted{"seek", "40", ""})
	answer[link.Seek](v.game, 40)
	v.addressIs("", 3)
	v.do(Acted{"lesson", "ghost.md", ""})
	v.addressIs("#lesson=ghost", 4)
	v.settle()
	v.do(Pressed{Key: "j"})
	v.stops(1)
	v.addressIs("#lesson=ghost&at=popped", 4)
	v.do(Pressed{Key: "j"})
	v.stops(2)
	v.do(Pressed{Key: "k"})
	v.stops(1)
	v.addressIs("#lesson=ghost&at=popped", 4)
	if s := v.m.Nav.CurrentAddress(); s == nil || s.Source.File != "mine.json" || s.Steps[0].Step != 40 {
		t.Errorf("over a reload the page would keep %+v", s)
	}

	v.browse(-1)
	if q := last[link.Open](v.game); q.Name != "mine.json" || q.URL != "" {
		t.Errorf("Back opens %+v", q)
	}
	v.settle()
	if q := last[link.Seek](v.game); q.Step != 40 {
		t.Errorf("after Back it goes to step %d", q.Step)
	}
	answer[link.Seek](v.game, 40)
	v.addressIs("", 4)
	v.browse(1)
	v.opens("lessons/en/ghost.md")
	v.settle()
	v.stops(1)
	v.addressIs("#lesson=ghost&at=popped", 4)

	v.do(Acted{"lesson", "tombstone", ""}) // another lesson is another place
	v.settle()
	v.addressIs("#lesson=tombstone", 5)
	v.browse(-1)
	v.opens("lessons/en/ghost.md")
	v.settle()
	v.stops(1)
	v.do(Acted{"bundled", "", ""}) // and so is the way out
	v.addressIs("", 5)
	v.settle()
	v.browse(-1)
	v.opens("lessons/en/ghost.md")
}

// A jump within a lesson has an entry of its own, and Back leads to the stop that was read
// there.
func TestBackWithinALesson(t *testing.T) {
	v := arrive(t, "#lesson=ghost")
	v.settle()
	v.do(Acted{"seek", "70", ""})
	answer[link.Seek](v.game, 70)
	v.addressIs("#lesson=ghost", 2)
	v.do(Pressed{Key: "j"})
	v.stops(1)
	v.addressIs("#lesson=ghost&at=popped", 2)
	v.browse(-1)
	v.stops(0)
	v.addressIs("#lesson=ghost", 2)
	v.browse(1)
	v.stops(1)
	v.entries[v.at] = navigation.Returned{Fragment: "#lesson=ghost&at=3"} // the viewer edits the address
	v.browse(0)
	v.stops(2)
	v.addressIs("#lesson=ghost&at=3", 2)
}

// The lesson stays in the address when the page speaks another language.
func TestTheAddressInAnotherLanguage(t *testing.T) {
	v := arrive(t, "#lesson=ghost&at=popped")
	v.settle()
	v.stops(1)
	v.do(Acted{Act: "lang", Arg: "zh"}, Spoke{"zh", map[string]string{"step.start": "-"}})
	v.opens("lessons/zh/ghost.md")
	v.settle()
	v.stops(1)
	v.addressIs("#lesson=ghost&at=popped", 1)
}

// A name that no lesson can have is asked for nowhere. The page says so, shows the course,
// and keeps what is open.
func TestAWrongNameInTheAddress(t *testing.T) {
	says := func(v *visit, name string) {
		t.Helper()
		if f := v.m.Open.Failure; f == nil || f.Sentence.ID != "fail.noLesson" || f.Sentence.Args["name"].V != name || v.m.Front.Dialog != "course" {
			t.Errorf("the page says %+v in the dialog %q", v.m.Open.Failure, v.m.Front.Dialog)
		}
	}
	for _, name := range []string{"", "..", "../zh/ghost", "a/b", "%2e%2e", "Ghost", "<b>", "ghost.md", "//example.org/x", "\x00"} {
		v := arrive(t, "#lesson="+name)
		v.opens(navigation.Bundled.URL)
		says(v, name)
		v.addressIs("", 1)
		v.settle()
		says(v, name)

		v = arrive(t, "#lesson=ghost&at=popped")
		v.settle()
		v.stops(1)
		opened := count[link.Open](v.game)
		v.entries, v.at = append(v.entries, navigation.Returned{Fragment: "#lesson=" + name}), 1
		v.browse(0)
		says(v, name)
		v.addressIs("#lesson=ghost&at=popped", 2)
		if count[link.Open](v.game) != opened || v.m.Lesson.Learning == nil {
			t.Error("the lesson that was open isn't any more")
		}
	}
	v := arrive(t, "#lesson="+strings.Repeat("%C3", 5000))
	says(v, strings.Repeat("%C3", 5000)[:navigation.MaxWrong])

	v = arrive(t, "#lesson=nosuch&at=2")
	v.do(Replied{&link.Reply{ID: lastID[link.Open](v.game), News: &link.Failure{Sentence: link.Sentence{ID: "fail.open"}}}})
	v.opens(navigation.Bundled.URL)
	says(v, "nosuch")
	v.addressIs("", 1)

	v = arrive(t, "#else")
	v.opens(navigation.Bundled.URL)
	if v.m.Open.Failure != nil || v.m.Front.Dialog != "" {
		t.Error("a fragment that names no lesson is taken for one")
	}
}

// TestAnAddressNamesTheVersionOfCaptures: a link that names a version and nothing to open is for
// the captures that the viewer opens next. The recording that the page brings along stays as it is.
func TestAnAddressNamesTheVersionOfCaptures(t *testing.T) {
	v := arrive(t, "#profile=v0.30.1")
	if r := last[link.Open](v.game); r.URL != navigation.Bundled.URL || r.Profile != "" {
		t.Errorf("the page asks for %+v", r)
	}
	v.settle()
	v.do(Chose{Name: "b.json", Size: 10})
	if r := last[link.Open](v.game); r.Name != "b.json" || r.Profile != "v0.30.1" {
		t.Errorf("the page asks for %+v", r)
	}
}
