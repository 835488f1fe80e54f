package view

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// dialogs are all states of all dialogs.
var dialogs = map[string]func(m *session.Model){
	"help": func(m *session.Model) { m.Front.Dialog = "help" },
	"keying": func(m *session.Model) {
		m.Front.Dialog, m.Keyboard.Keying = "help", session.Keying{Editing: true, Failed: "step", Key: "s", Clash: "save"}
	},
	"listening": func(m *session.Model) {
		m.Front.Dialog, m.Keyboard.Keying = "help", session.Keying{Editing: true, Command: "step"}
	},
	"palette":      func(m *session.Model) { m.Front.Dialog, m.Palette.Text = "palette", "o" },
	"about":        func(m *session.Model) { m.Front.Dialog = "about" },
	"about little": func(m *session.Model) { m.Front.Dialog, m.Open.Trace = "about", &link.Opened{} },
	"looking":      func(m *session.Model) { m.Front.Dialog, m.Cluster.Seeking = "live", true },
	"none": func(m *session.Model) {
		m.Front.Dialog, m.Cluster.Found = "live", &link.Cluster{Reason: link.FaultText(hostile)}
	},
	"found": func(m *session.Model) {
		m.Front.Dialog, m.Cluster.Found, m.Cluster.Want.Resources = "live", someCluster(), []string{"pods"}
	},
	"failed": func(m *session.Model) {
		m.Front.Dialog, m.Open.Failure = "live", &link.Failure{Sentence: link.Sentence{ID: "fail.request"}}
	},
	"nothing so": func(m *session.Model) {
		m.Front.Dialog, m.Cluster.Found, m.Cluster.Filter = "live", someCluster(), "zzz"
	},
	"following": func(m *session.Model) {
		m.Front.Dialog, m.Cluster.Found, m.Cluster.Live, m.Transport.Following = "live", someCluster(), viewtest.Live(), true
	},
	"behind": func(m *session.Model) { m.Cluster.Live = viewtest.Live() },
	"stopped": func(m *session.Model) {
		m.Front.Dialog, m.Cluster.Found, m.Cluster.Live = "live", someCluster(), viewtest.Live()
		m.Cluster.Live.Following, m.Cluster.Live.Dropped, m.Cluster.Live.DroppedTo = false, 12345, 3e9
	},
	"save":   func(m *session.Model) { m.Front.Dialog = "save" },
	"saving": func(m *session.Model) { m.Front.Dialog, m.Save.Busy = "save", true },
	"looked": func(m *session.Model) {
		m.Front.Dialog = "save"
		m.Save.Looked = &link.SavePreview{Size: 1234, Removed: []link.RedactionCount{{Name: "texts", N: 3}, {Name: "managed fields"}, {Name: hostile, N: 1}}, Remaining: []link.RedactionCount{{Name: "metadata.name", N: 1234}, {Name: "times", N: 5}, {Name: hostile, N: 1}}, Head: hostile}
	},
	"later": func(m *session.Model) {
		m.Front.Dialog, m.Save.Redact, m.Save.Looked = "save", link.Redact{}, &link.SavePreview{Size: 1234, Removed: []link.RedactionCount{{Name: "secret data", N: 3}, {Name: "env values"}}}
	},
	"report": func(m *session.Model) { m.Front.Dialog, m.Save.Report.Text = "report", hostile },
	"unreported": func(m *session.Model) {
		m.Front.Dialog, m.Save.Report.Failed = "report", &link.Failure{Sentence: link.Sentence{ID: "fail.report"}, Reason: link.FaultText(hostile)}
	},
	"unsaved": func(m *session.Model) {
		m.Front.Dialog, m.Open.Failure = "save", &link.Failure{Sentence: link.Sentence{ID: "fail.save"}, Reason: link.FaultText("path .a[: " + hostile)}
	},
	"saved": func(m *session.Model) {
		m.Front.Dialog, m.Save.Saved = "save", &link.Saved{Name: "kind.trace.jsonl.gz", Size: 1234, Removed: []link.RedactionCount{{Name: "secret data", N: 3}, {Name: "env values"}, {Name: hostile, N: 1}}}
	},
	"empty": func(m *session.Model) { m.Open.Trace, m.Stage.Frame, m.Stage.Lists = nil, nil, nil },
}

// look renders a page in one of the states.
func look(t *testing.T, lang, state string) (*tree.Node, map[string]string) {
	t.Helper()
	m := viewtest.Busy(t, lang)
	m.Open.Trace = openTrace()
	dialogs[state](m)
	return new(View).Page(m)
}

// unsaid is the id of a text, or a placeholder in it.
var unsaid = regexp.MustCompile(`^(ui|fail|format|remark)\.[a-z]|\{[a-z]+\}`)

// In every state and language, everything that is said has its words, every control
// has a name, and every button has something to do.
func TestDialogsSayWhatTheyMean(t *testing.T) {
	for state := range dialogs {
		for _, lang := range viewtest.Languages(t) {
			root, _ := look(t, lang, state)
			root.Find(func(n *tree.Node) bool {
				texts := []string{n.TextContent()}
				for _, a := range []string{"title", "aria-label"} {
					v, _ := n.Value(a)
					texts = append(texts, v)
				}
				for _, s := range texts {
					if len(s) < 200 && unsaid.MatchString(s) {
						t.Errorf("%s, %s: an id or a placeholder is shown: %q", lang, state, s)
					}
				}
				if kind, _ := n.Value("type"); kind == "button" && texts[0]+texts[2] == "" {
					t.Errorf("%s: a button without a name", state)
				}
				return false
			})
		}
	}
}

func TestAboutTellsAll(t *testing.T) {
	root, document := look(t, "en", "about")
	if document["data-dialog"] != "about" {
		t.Errorf("the document says %v", document)
	}
	d := viewtest.Find(root, "data-modal", "")
	if d == nil {
		t.Fatal("no dialog is open")
	}
	text := d.TextContent()
	for _, want := range []string{
		"objects one after the other, without watch events + an audit log of the API server + newer", "2026-01-02 03:04:05 UTC", "v1.36.3", "the night of " + hostile, "evenly spaced",
		"The beginning", "data of Secrets: 3, values of environment variables: 12", "deletions can't be seen", "the list of " + hostile + " are missing", "12\u202f345 requests", "newerRemark of pods",
		"line 17, byte 123\u202f456", "unexpected end " + hostile, "pods v161\u202f3773", "deployments.apps",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the dialog doesn't say %q\n%s", want, text)
		}
	}
	if b := viewtest.Find(root, "data-act", "about"); b == nil || viewtest.WithClass(b, "count")[0].TextContent() != "5" {
		t.Error("the button doesn't count what there is to know")
	}
	if root.Find(func(n *tree.Node) bool { return n.TextContent() == "times made up" }) == nil {
		t.Error("the timeline doesn't say that times are made up")
	}
}

// The first remark stands above the stage until the viewer closes it. A problem of the
// file comes before it.
func TestRemarksAreNoticed(t *testing.T) {
	m := viewtest.Busy(t, "en")
	m.Open.Trace = openTrace()
	notice := func() string {
		root, _ := new(View).Page(m)
		n := root.Find(func(n *tree.Node) bool {
			return n.Find(func(k *tree.Node) bool { return k != n }) != nil && isNotice(n)
		})
		if n == nil {
			return ""
		}
		return n.TextContent()
	}
	if s := notice(); !strings.Contains(s, "ends in the middle") || !strings.Contains(s, "All about") {
		t.Errorf("of the problem the notice says %q", s)
	}
	m.Open.Trace.Problems = nil
	if s := notice(); !strings.Contains(s, "deletions can't be seen") || !strings.Contains(s, "3 more") {
		t.Errorf("of the remarks the notice says %q", s)
	}
	m.Open.Noticed = true
	if s := notice(); s != "" {
		t.Errorf("after it was closed, the notice says %q", s)
	}
}

func isNotice(n *tree.Node) bool {
	role, _ := n.Value("role")
	return (role == "alert" || role == "status") && viewtest.Find(n, "data-act", "notice") != nil
}

func TestLiveDialog(t *testing.T) {
	root, _ := look(t, "en", "none")
	for _, way := range []string{"kubectl proxy --www=dist --www-prefix=/ --api-prefix=/k8s/", "http://127.0.0.1:8001/static/", "informerscope serve --context NAME", hostile} {
		if root.Find(func(n *tree.Node) bool { return n.TextContent() == way }) == nil {
			t.Errorf("the dialog doesn't say %s", way)
		}
	}
	if viewtest.Find(root, "data-act", "discover") == nil {
		t.Error("the viewer can't have the cluster looked for again")
	}

	m := viewtest.Busy(t, "en")
	m.Front.Dialog, m.Cluster.Found = "live", someCluster()
	boxes := func() (on, off []string) {
		root, _ := new(View).Page(m)
		root.Find(func(n *tree.Node) bool {
			if act, _ := n.Value("data-act"); act == "want" {
				name, _ := n.Value("data-arg")
				if _, disabled := n.Value("disabled"); disabled {
					off = append(off, name)
				} else {
					on = append(on, name)
				}
			}
			return false
		})
		return on, off
	}
	watch := func() bool {
		root, _ := new(View).Page(m)
		_, disabled := viewtest.Find(root, "data-act", "follow").Value("disabled")
		return !disabled
	}
	if on, off := boxes(); len(on) != 8 || len(off) != 0 || watch() {
		t.Errorf("with nothing chosen, these are on and off: %v %v, and the viewer can watch: %t", on, off, watch())
	}
	m.Cluster.Want.Resources = []string{"configmaps", "events", "nodes", "pods", "services"}
	if on, off := boxes(); !slices.Equal(on, m.Cluster.Want.Resources) || len(off) != 3 || !watch() {
		t.Errorf("with all chosen, these are on and off: %v %v, and the viewer can watch: %t", on, off, watch())
	}
	m.Cluster.Want.Resources, m.Cluster.Filter = []string{"pods"}, "LEAS"
	if on, _ := boxes(); !slices.Equal(on, []string{"pods", "leases.coordination.k8s.io"}) {
		t.Errorf("the resources found and chosen are %v", on)
	}
}

// The strip says what happens to a stream, and the dialog says it in full.
func TestLiveStates(t *testing.T) {
	root, document := look(t, "en", "following")
	text := root.TextContent()
	for _, want := range []string{"connection lost", "Failed to fetch", "again in 3\u202fs", "4\u202f321 events", "410 Gone", "A relist follows", "12.3\u202fMB of 256\u202fMB", "Nobody answers"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page doesn't say %q", want)
		}
	}
	if document["data-live"] != "following" {
		t.Errorf("the document says %v", document)
	}
	root, document = look(t, "en", "stopped")
	text = root.TextContent()
	if document["data-live"] != "stopped" || !strings.Contains(text, "Watching has stopped") || !strings.Contains(text, "12\u202f345 watch events were dropped: the oldest, up to 00:00:03") {
		t.Errorf("after it was stopped, the document says %v, and the strip %s", document, text)
	}
	if viewtest.Find(root, "data-act", "follow") == nil || viewtest.Find(root, "data-act", "unfollow") != nil {
		t.Error("after it was stopped, the viewer can't follow again")
	}
}

func TestSaveAsksWhatFor(t *testing.T) {
	asks := func(model string) (names []string) {
		root, _ := look(t, "en", model)
		root.Find(func(n *tree.Node) bool {
			if act, _ := n.Value("data-act"); act == "redact" {
				name, _ := n.Value("data-arg")
				names = append(names, name)
			}
			return false
		})
		return names
	}
	if want := []string{"for", "for", "names", "keep"}; !slices.Equal(asks("save"), want) {
		t.Errorf("the dialog asks about %v, not %v", asks("save"), want)
	}
	if want := []string{"for", "for", "paths"}; !slices.Equal(asks("later"), want) {
		t.Errorf("to go on later, the dialog asks about %v, not %v", asks("later"), want)
	}
	root, _ := look(t, "en", "saving")
	if _, disabled := viewtest.Find(root, "data-act", "saveNow").Value("disabled"); !disabled {
		t.Error("while a file is being saved, it can be saved once more")
	}
	root, _ = look(t, "en", "looked")
	if text := root.TextContent(); !strings.Contains(text, "What leaves1.2\u202fkB in all") || !strings.Contains(text, "Removed: texts that became tokens: 3, "+hostile+": 1.") ||
		!strings.Contains(text, "What stays, by path (3)metadata.name1\u202f234times5"+hostile+"1") {
		t.Errorf("before saving, the dialog says %s", text)
	}
	root, _ = look(t, "en", "later")
	if text := root.TextContent(); !strings.Contains(text, "Removed: data of Secrets: 3.") || strings.Contains(text, "by path") {
		t.Errorf("to go on later, the dialog says %s", text)
	}
	root, _ = look(t, "en", "saved")
	if text := root.TextContent(); !strings.Contains(text, "kind.trace.jsonl.gz") || !strings.Contains(text, "1.2\u202fkB") || !strings.Contains(text, "Removed: data of Secrets: 3, "+hostile+": 1.") {
		t.Errorf("after saving, the dialog says %s", text)
	}
	root, _ = look(t, "en", "unsaved")
	if d := viewtest.Find(root, "data-modal", ""); !strings.Contains(d.TextContent(), "could not be saved.path .a[: "+hostile) {
		t.Errorf("after a failure, the dialog says %s", d.TextContent())
	}
}

// A dialog and the dialog to which it leads are one element, so that closing
// the second gives the focus back to where it was before the first.
func TestOneDialogLeadsToAnother(t *testing.T) {
	var v View
	var p tree.Patcher
	m := viewtest.Busy(t, "en")
	m.Open.Trace = openTrace()
	m.Front.Dialog = "about"
	root, document := v.Page(m)
	p.Patch(root, document, nil)
	m.Front.Dialog = "save"
	root, document = v.Page(m)
	if out := string(p.Patch(root, document, nil)); strings.Contains(out, "data-modal") {
		t.Error("the dialog is closed and opened again")
	}
}
