package host

import (
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/live"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// effect says what an operation needs, and what it does to the document beside its own work.
type effect uint8

const (
	// anytime: it needs no document.
	anytime effect = 1 << iota
	// touches: the viewer has done something to the document, so the informer shown stays.
	touches
)

// operation is what the host does when the page asks for an operation.
type operation struct {
	op     link.Op // without its fields
	effect effect
	ends   schedule.Event // the jobs that these events end, and other work that isn't done yet: Host.before
	do     func(*Host, order)
}

// order is a request, with the files that the page has sent with it.
type order struct {
	id    int
	op    link.Op
	files []browser.Input
}

// The events that operations bring about.
const (
	none     = schedule.Event(0)
	moves    = machineMoves
	replaces = machineMoves | runReplaced
	changes  = machineMoves | runReplaced | futuresChange
)

// operations is the table of what the host does for each operation.
var operations = []operation{
	// What opens something, or follows a cluster.
	{link.Open{}, anytime, none, func(h *Host, q order) { h.openAny(q.id, q.op.(link.Open), q.files) }},
	{link.Cancel{}, anytime, none, func(h *Host, q order) { h.cancel(q.id) }},
	{link.Painted{}, anytime, none, func(h *Host, q order) { h.pump.drive(onPainted) }},
	{link.FindLessons{}, anytime, none, func(h *Host, q order) { h.lessons.finder.find(q.id, q.op.(link.FindLessons)) }},
	{link.ReadCourse{}, anytime, none, func(h *Host, q order) { h.lessons.course(q.id, q.op.(link.ReadCourse)) }},
	{link.Discover{}, anytime, none, func(h *Host, q order) { h.clusters.discover(q.id, q.op.(link.Discover)) }},
	{link.FollowCluster{}, anytime, none, func(h *Host, q order) { h.follow(q.id, q.op.(link.FollowCluster)) }},

	// Where the viewer is.
	{link.Step{}, touches, moves, func(h *Host, q order) { h.searches.step(q.id, q.op.(link.Step)) }},
	{link.Seek{}, touches, moves, func(h *Host, q order) { h.searches.seek(q.id, q.op.(link.Seek)) }},
	{link.SeekTime{}, touches, moves, func(h *Host, q order) { h.searches.seekTime(q.id, q.op.(link.SeekTime)) }},
	{link.SeekMark{}, touches, moves, func(h *Host, q order) { h.searches.seekMark(q.id, q.op.(link.SeekMark)) }},
	{link.RunTo{}, touches, moves, func(h *Host, q order) { h.searches.runTo(q.id, q.op.(link.RunTo)) }},
	{link.Travel{}, touches, moves | futuresChange, func(h *Host, q order) { h.travels.travel(q.id, q.op.(link.Travel)) }},
	{link.EndSearch{}, anytime, none, func(h *Host, q order) { h.searches.end(q.id, q.op.(link.EndSearch)) }},
	{link.FindKeys{}, 0, none, func(h *Host, q order) { h.searches.findKeys(q.id, q.op.(link.FindKeys)) }},
	{link.AskNext{}, touches, moves, func(h *Host, q order) { h.looks.askNext(q.id, q.op.(link.AskNext)) }},
	{link.ShowNext{}, touches, moves, func(h *Host, q order) { h.looks.showNext(q.id, q.op.(link.ShowNext)) }},

	// What is shown of it.
	{link.Fit{}, anytime, none, func(h *Host, q order) { h.looks.fit(q.id, q.op.(link.Fit)) }},
	{link.DrawTimeline{}, 0, none, func(h *Host, q order) { h.looks.drawTimeline(q.id, q.op.(link.DrawTimeline)) }},
	{link.Inspect{}, touches, none, func(h *Host, q order) { h.looks.inspect(q.id, q.op.(link.Inspect)) }},
	{link.AskIndexer{}, touches, none, func(h *Host, q order) { h.looks.askIndexer(q.id, q.op.(link.AskIndexer)) }},
	{link.ShowInformer{}, touches, replaces, func(h *Host, q order) { h.looks.showInformer(q.id, q.op.(link.ShowInformer)) }},
	{link.SetUp{}, touches, replaces, func(h *Host, q order) { h.looks.setUp(q.id, q.op.(link.SetUp)) }},

	// What the viewer does to the machine.
	{link.PlayLine{}, touches, changes, func(h *Host, q order) { h.console.line(q.id, q.op.(link.PlayLine)) }},
	{link.ShowLane{}, touches, replaces, func(h *Host, q order) { h.console.showLane(q.id, q.op.(link.ShowLane)) }},
	{link.VisitLane{}, touches, changes, func(h *Host, q order) { h.console.visitLane(q.id, q.op.(link.VisitLane)) }},
	{link.RenameLane{}, touches, replaces, func(h *Host, q order) { h.console.renameLane(q.id, q.op.(link.RenameLane)) }},
	{link.DropLane{}, touches, changes, func(h *Host, q order) { h.console.dropLane(q.id, q.op.(link.DropLane)) }},
	{link.Undo{}, touches, changes, func(h *Host, q order) { h.console.undo(q.id, q.op.(link.Undo)) }},
	{link.Redo{}, touches, changes, func(h *Host, q order) { h.console.redo(q.id, q.op.(link.Redo)) }},
	{link.StopExploring{}, touches, none, func(h *Host, q order) { h.console.stopExploring(q.id, q.op.(link.StopExploring)) }},

	// The lesson.
	{link.GoStop{}, touches, futuresChange, func(h *Host, q order) { h.lessons.goStop(q.id, q.op.(link.GoStop)) }},
	{link.AskAnswer{}, touches, none, func(h *Host, q order) { h.lessons.askAnswer(q.id, q.op.(link.AskAnswer)) }},
	{link.Turn{}, touches, futuresChange, func(h *Host, q order) { h.lessons.turn(q.id, q.op.(link.Turn)) }},
	{link.CompareVersions{}, touches, futuresChange, func(h *Host, q order) { h.lessons.compareVersions(q.id, q.op.(link.CompareVersions)) }},
	{link.CheckExercise{}, touches, none, func(h *Host, q order) { h.lessons.checkExercise(q.id, q.op.(link.CheckExercise)) }},
	{link.SeekSchedule{}, touches, futuresChange, func(h *Host, q order) { h.lessons.seekSchedule(q.id, q.op.(link.SeekSchedule)) }},
	{link.Solve{}, touches, futuresChange, func(h *Host, q order) { h.lessons.solve(q.id, q.op.(link.Solve)) }},
	{link.ReadText{}, touches, none, func(h *Host, q order) { h.lessons.readText(q.id, q.op.(link.ReadText)) }},
	{link.Rewrite{}, touches, futuresChange, func(h *Host, q order) { h.lessons.rewrite(q.id, q.op.(link.Rewrite)) }},

	// What stands beside it.
	{link.SecondProfile{}, touches, none, func(h *Host, q order) { h.company.besideSetup(q.id, q.op.(link.Second)) }},
	{link.SecondResync{}, touches, none, func(h *Host, q order) { h.company.besideSetup(q.id, q.op.(link.Second)) }},
	{link.SecondSetup{}, touches, none, func(h *Host, q order) { h.company.besideSetup(q.id, q.op.(link.Second)) }},
	{link.SecondLane{}, touches, none, func(h *Host, q order) { h.company.besideLane(q.id, q.op.(link.SecondLane)) }},
	{link.SecondApart{}, touches, none, func(h *Host, q order) { h.company.besideApart(q.id, q.op.(link.SecondApart)) }},
	{link.SecondGuard{}, touches, none, func(h *Host, q order) { h.company.besideGuard(q.id, q.op.(link.SecondGuard)) }},
	{link.CountGuards{}, touches, none, func(h *Host, q order) { h.desk.countGuards(q.id, q.op.(link.CountGuards)) }},
	{link.SecondCapture{}, 0, none, func(h *Host, q order) { h.besideCapture(q.id, q.op.(link.SecondCapture), q.files) }},
	{link.Alone{}, touches, none, func(h *Host, q order) { h.company.alone(q.id, q.op.(link.Alone)) }},
	{link.SeekDiffer{}, touches, none, func(h *Host, q order) { h.company.seekDiffer(q.id, q.op.(link.SeekDiffer)) }},

	// What is asked of the run.
	{link.WatchFor{}, 0, none, func(h *Host, q order) { h.exprs.watchFor(q.id, q.op.(link.WatchFor)) }},
	{link.SavePlot{}, touches, none, func(h *Host, q order) { h.exprs.savePlot(q.id, q.op.(link.SavePlot)) }},
	{link.Minimise{}, 0, none, func(h *Host, q order) { h.leasts.minimise(q.id, q.op.(link.Minimise)) }},
	{link.StopMinimising{}, 0, none, func(h *Host, q order) { h.leasts.stop(q.id, q.op.(link.StopMinimising)) }},
	{link.AskWhy{}, 0, none, func(h *Host, q order) { h.whys.ask(q.id, q.op.(link.AskWhy)) }},
	{link.AskOwnWork{}, 0, none, func(h *Host, q order) { h.saves.tellOwnWork(q.id) }},
	{link.StopWhy{}, 0, none, func(h *Host, q order) { h.whys.stop(q.id, q.op.(link.StopWhy)) }},

	// What is made of it.
	{link.MakeLink{}, 0, none, func(h *Host, q order) { h.looks.makeLink(q.id, q.op.(link.MakeLink)) }},
	{link.Save{}, 0, none, func(h *Host, q order) { h.saves.save(q.id, q.op.(link.Save)) }},
	{link.SaveLeast{}, 0, none, func(h *Host, q order) { h.leasts.saveLeast(q.id, q.op.(link.SaveLeast)) }},
	{link.SaveText{}, 0, none, func(h *Host, q order) { h.texts.saveText(q.id, q.op.(link.SaveText)) }},
	{link.StopSaving{}, 0, none, func(h *Host, q order) { h.texts.stop(q.id, q.op.(link.StopSaving)) }},
}

// operationOf finds an operation's row in the table.
func operationOf(op link.Op) *operation {
	name := link.Name(op)
	for i := range operations {
		if link.Name(operations[i].op) == name {
			return &operations[i]
		}
	}
	return nil
}

// Handle does what an encoded Request asks for.
func (h *Host) Handle(message []byte, files []browser.Input) {
	q, err := link.DecodeRequest(message)
	if err != nil {
		h.desk.fail(q.ID, link.Sentence{ID: "fail.request"}, err)
		return
	}
	o := operationOf(q.Do)
	if o.effect&anytime == 0 {
		if h.desk.doc == nil {
			h.desk.fail(q.ID, link.Sentence{ID: "fail.nothingOpen"}, nil)
			return
		}
		h.before(o)
	}
	o.do(h, order{q.ID, q.Do, files})
	if o.effect&anytime == 0 {
		h.desk.asked = h.desk.browser.Now()
	}
}

// before does what an operation does to the document beside its own work.
func (h *Host) before(o *operation) {
	if o.effect&touches != 0 {
		h.desk.doc.touched = true
	}
	h.desk.jobs.End(h.desk.notice() | o.ends)
	if o.ends&runReplaced != 0 {
		h.desk.doc.edits = nil // the viewer wants something else
	}
}

// openAny opens a text, the files that the page has sent, or a file of the site.
func (h *Host) openAny(id int, q link.Open, files []browser.Input) {
	if q.Text != "" {
		h.openText(id, q)
		return
	}
	if address.IsLive(q.URL) {
		h.open(origin{id: id, name: q.Name, url: q.URL}, live.Piped(h.desk.browser, q.URL), nil)
		return
	}
	in, all := h.inputOf(q.URL, files)
	h.open(origin{id, q.Name, q.URL, q.Chosen, q.Profile}, in, all)
}

// inputOf returns what the page wants read, and the files from which the other program can
// read it: the files that the page has sent, or the file of the site at url, if it has sent
// none. The other program makes one trace of several files.
func (h *Host) inputOf(url string, files []browser.Input) (browser.Input, []browser.Bytes) {
	switch len(files) {
	case 0:
		return h.desk.browser.Fetch(url), nil
	case 1:
		return files[0], bytesOf(files)
	}
	return h.desk.browser.Convert(bytesOf(files), ""), nil
}

func bytesOf(files []browser.Input) (all []browser.Bytes) {
	for _, f := range files {
		all = append(all, f)
	}
	return all
}
