package lesson

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// ownRecording says below a choice of guards what each would have done to a stale read of the reader's own; nil below any other control.
// Where there is none yet, it offers to open a recording.
func (r *reading) ownRecording(x link.LessonPart, now bool) *tree.Node {
	if len(x.Controls) == 0 || !strings.HasSuffix(x.Controls[0].Before, "guard=") {
		return nil
	}
	w, recording := r.w, &r.m.Recording
	n := tree.El("section", "lesson-own", tree.Text("h3", "", w.T("ui.lesson.own"))).Attr("aria-label", w.T("ui.lesson.own"))
	open := widget.Button("", w.T("ui.lesson.own.open"), "openOwn", "").Flag("disabled", !now)
	if recording.Case == nil {
		return n.Add(tree.Text("p", "", w.T("ui.lesson.own.none")), open)
	}
	return n.Add(tree.Text("p", "", recording.Name+": "+w.Plain(recording.Case.Title)), widget.Table(w, recording.Case), tree.Text("p", "quiet", w.T("ui.lesson.own.lag")), open)
}
