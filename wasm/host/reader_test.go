package host

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	pagedesk "github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/view"
)

// reader is the page with the worker behind it, without a browser: the session asks the host, and what the page shows
// is drawn as a tree.
type reader struct {
	*page
	model   *session.Model
	view    view.View
	patcher tree.Patcher
	root    *tree.Node
	said    map[string]string // the attributes of the document
	drawn   *link.Frame
	coming  []*file
	waiting []session.Msg
	tick    bool
	clock   float64 // milliseconds
	looks   bool    // draws after each message, which shows nothing new if it is said to be unseen
	unseen  int
}

func newReader(t *testing.T, lang string) *reader { return newVisit(t, lang, true) }

// newVisit is the page of a viewer who has used the microscope before, or not.
func newVisit(t *testing.T, lang string, used bool) *reader {
	r := &reader{page: newPage(t)}
	r.files = func(url string) browser.Input {
		name := "../../web/" + url
		if script, is := strings.CutPrefix(url, "scripts/"); is {
			name = "../../engine/script/testdata/" + script
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name != "../../web/"+url { // the build serves its lines alone
			var lines []byte
			for line := range strings.Lines(string(b)) {
				if said, ok := strings.CutPrefix(line, "> "); ok {
					lines = append(lines, said...)
				}
			}
			b = lines
		}
		if strings.HasSuffix(url, ".gz") {
			b = unzip(t, b)
		}
		f := &file{data: b, piece: 1 << 16}
		r.coming = append(r.coming, f)
		return f
	}
	r.heard = func(reply *link.Reply) {
		if f := news[*link.Failure](reply); f != nil {
			t.Errorf("the host fails: %s %s", f.Sentence.ID, inWords(f.Reason))
		}
		r.waiting = append(r.waiting, session.Replied{Reply: reply})
	}
	r.model = session.New(lang, "", -1)
	r.model.Nav.Used = used
	r.play(session.Resized{Width: 1440, Height: 900}, session.Preferred{ReducedMotion: true}, session.Started{})
	return r
}

// play takes messages in until nothing is left to do.
func (r *reader) play(messages ...session.Msg) {
	r.t.Helper()
	r.waiting = append(r.waiting, messages...)
	for rounds := 0; ; rounds++ {
		switch {
		case rounds > 100_000:
			r.t.Fatalf("the page comes to no rest: it stands at step %s", r.said["data-step"])
		case len(r.waiting) > 0:
			m := r.waiting[0]
			r.waiting = r.waiting[1:]
			cmds := r.model.Update(m)
			for _, c := range cmds {
				r.run(c)
			}
			switch unseen := slices.Contains(cmds, session.Cmd(session.Unseen{})); {
			case unseen && r.looks:
				r.unseen++
				r.nothingNew()
			case r.looks:
				r.draw()
			}
		case r.settle():
		case len(r.coming) > 0:
			if f := r.coming[0]; f.over || f.ended {
				r.coming = r.coming[1:]
			} else {
				f.pump()
			}
		case r.tick && r.unseen < enough:
			r.tick = false
			r.clock += 20
			r.waiting = append(r.waiting, session.Ticked{Now: r.clock})
		default:
			r.draw()
			return
		}
	}
}

func (r *reader) run(c session.Cmd) {
	r.t.Helper()
	switch c := c.(type) {
	case pagedesk.Send:
		r.h.Handle(c.Request.Encode(), nil)
	case session.Speak:
		r.waiting = append(r.waiting, session.Spoke{Lang: c.Lang, Words: r.catalogue(c.Lang)})
	case session.Tick:
		r.tick = true
	case pagedesk.Complain:
		r.t.Error(c.Text)
	}
}

func (r *reader) catalogue(lang string) (texts map[string]string) {
	r.t.Helper()
	b, err := os.ReadFile("../../web/locales/" + lang + ".json")
	if err == nil {
		err = json.Unmarshal(b, &texts)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return texts
}

// draw draws what the page shows. In it each place is there once, and each text has its words.
func (r *reader) draw() {
	r.t.Helper()
	var motion *tree.Motion
	if r.model.Stage.Frame != r.drawn {
		motion = view.Motion(r.model)
	}
	r.drawn = r.model.Stage.Frame
	r.root, r.said = r.view.Page(r.model)
	r.patcher.Patch(r.root, r.said, motion)
	places := map[string]bool{}
	r.root.Find(func(n *tree.Node) bool {
		if place, is := n.Value("data-place"); is {
			if places[place] {
				r.t.Errorf("there are two places %s", place)
			}
			places[place] = true
		}
		title, _ := n.Value("title")
		label, _ := n.Value("aria-label")
		for _, s := range []string{n.TextContent(), title, label} {
			if s, _, _ = strings.Cut(s, " "); slices.ContainsFunc([]string{"ui.", "step.", "pc.", "actor.", "lesson.", "fail.", "error.", "gate.", "why."}, func(id string) bool { return strings.HasPrefix(s, id) }) {
				r.t.Errorf("an id is shown instead of its words: %q", s)
			}
		}
		return false
	})
	if motion != nil {
		r.oneFocus(motion.Lit)
	}
}

// oneFocus checks that a step has one focal point: what it has moved or touched lights up at one station, and at most one
// station is at work. In the loop one thing is under way, or has just come to its row.
func (r *reader) oneFocus(lit []string) {
	r.t.Helper()
	var stations, atWork, under []string
	r.root.Find(func(n *tree.Node) bool {
		if n.HasClass("station") && n.Find(func(n *tree.Node) bool { place, is := n.Value("data-place"); return is && slices.Contains(lit, place) }) != nil {
			stations = append(stations, n.TextContent())
		}
		if n.HasClass("station") && n.HasClass("now") {
			atWork = append(atWork, n.TextContent())
		}
		if leg, is := n.Value("data-leg"); is && leg != "0" {
			under = append(under, n.TextContent())
		}
		if _, is := n.Value("data-fresh"); is {
			under = append(under, n.TextContent())
		}
		return false
	})
	for _, all := range [][]string{stations, atWork, under} {
		if len(all) > 1 {
			r.t.Errorf("step %s of lesson %q, stop %s has several focal points (%q):\n%s", r.said["data-step"], r.said["data-lesson"], r.said["data-stop"], lit, strings.Join(all, "\n"))
		}
	}
}

// nothingNew draws what the page shows, which is what it has shown before.
func (r *reader) nothingNew() {
	r.t.Helper()
	root, said := r.view.Page(r.model)
	if out := r.patcher.Patch(root, said, nil); len(out) != 0 {
		r.t.Errorf("at step %s, a message changes what is shown, and says that it is unseen: %q", r.said["data-step"], out)
	}
	r.root, r.said = root, said
}

// enough is how many unseen messages the test of them looks at.
const enough = 200

// While the page plays, most ticks only wait for the next step, and draw nothing.
func TestWaitingIsUnseen(t *testing.T) {
	r := newReader(t, "en")
	r.looks = true
	from := r.model.Stage.Frame.Step
	r.play(session.Acted{Act: "play"})
	if to := r.model.Stage.Frame.Step; r.unseen < enough || to < from+5 {
		t.Errorf("from step %d to %d, %d ticks are unseen", from, to, r.unseen)
	}
}

// find returns the first node with a class, a data-act and a data-arg. Where one of them is "", any node will do.
func (r *reader) find(class, act, arg string) *tree.Node {
	return r.root.Find(func(n *tree.Node) bool {
		a, _ := n.Value("data-act")
		b, _ := n.Value("data-arg")
		return (class == "" || n.HasClass(class)) && (act == "" || a == act) && (arg == "" || b == arg)
	})
}

// press does what a button does.
func (r *reader) press(n *tree.Node) {
	r.t.Helper()
	act, _ := n.Value("data-act")
	arg, _ := n.Value("data-arg")
	r.play(session.Acted{Act: act, Arg: arg})
}

// Each lesson is read to its end as a reader does it, with the list of lessons, Next and the first option of each
// question, in each language. The browser's tests read some of them.
func TestReaders(t *testing.T) {
	for _, lang := range session.Languages {
		text, err := os.ReadFile("../../web/lessons/" + lang.Code + "/course.md")
		if err != nil {
			t.Fatal(err)
		}
		course, err := lesson.ParseCourse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(lang.Code, func(t *testing.T) {
			t.Parallel()
			r := newReader(t, lang.Code)
			if r.said["data-ready"] != "true" {
				t.Fatalf("the page is not ready: %v", r.said)
			}
			stops := 0
			for n, chapter := range course.Chapters {
				for k, name := range chapter.Lessons {
					if testing.Short() && (n+k)%11 > 0 {
						continue
					}
					r.play(session.Acted{Act: "course"})
					r.press(r.find("", "lesson", name))
					stops += r.reads(name)
				}
			}
			if !testing.Short() && stops < 400 {
				t.Errorf("the lessons have %d stops", stops)
			}
		})
	}
}

// reads reads the lesson that is open to its end, and returns how many stops it has.
func (r *reader) reads(name string) int {
	r.t.Helper()
	for stop := 0; ; stop++ {
		if r.said["data-lesson"] != name || r.said["data-stop"] != strconv.Itoa(stop) || r.said["data-playing"] == "true" {
			r.t.Fatalf("%s, stop %d: the page says %v", name, stop, r.said)
		}
		if r.said["data-covered"] == "true" {
			r.press(r.root.Find(func(n *tree.Node) bool { _, off := n.Value("disabled"); return n.HasClass("option") && !off }))
			if r.said["data-covered"] == "true" || r.find("verdict-text", "", "") == nil {
				r.t.Errorf("%s, stop %d: an option is chosen, and there is no verdict", name, stop)
			}
		}
		next := r.find("", "nextStop", "")
		if next == nil {
			return stop + 1
		}
		r.press(next)
		if r.find("lesson-leave", "", "") != nil { // the exercise isn't solved
			r.press(r.find("", "nextStop", ""))
		}
	}
}
