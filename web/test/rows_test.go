package test

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// row is one of the systems that the page was made to show: what a script of the
// library does, and what must be seen of it.
type row struct {
	what     string
	script   string
	informer int // which is shown, if the script has several
	moments  []moment
}

// moment is a step, and what is on the page then.
type moment struct {
	at    string // the first line of the transcript that has this text; "end" for the last step; "" to stay
	until string // then step by step, until this is seen
	do    func(*tab)
	sees  []string // "PLACE: TEXT": see sights
}

// sights is what can be looked at. A place is the name of a station, "said" for the
// step's sentence, "wire", "costs", "console" for the transcript, "answer" for the
// indexer's answer, "object" for the object in the inspector, or "aside" for the names of
// the stations that step aside. "processor/NAME" is the lane of a handler, and "!PLACE"
// must not have the text.
const sights = `(() => {
	const text = e => {
		const words = [];
		const walk = n => {
			if (n.nodeType === 3) words.push(n.textContent);
			else if (n.nodeType === 1 && n.matches('.key')) words.push(n.textContent);
			else if (n.nodeType === 1 && !n.matches('.visually-hidden, .menu')) n.childNodes.forEach(walk);
		};
		if (e) walk(e);
		return words.join(' ').replace(/\s+/g, ' ').replace(/ ([.,:;])/g, '$1').trim();
	};
	const stations = [...document.querySelectorAll('main .station')];
	const name = s => s.dataset.station;
	return place => {
		const [station, handler] = place.split('/');
		switch (station) {
		case 'said': return text(document.querySelector('.said'));
		case 'wire': return text(document.querySelector('.wire-state'));
		case 'costs': return text(document.querySelector('.usage'));
		case 'console': return text(document.querySelector('.transcript'));
		case 'answer': return text(document.querySelector('.answer'));
		case 'object': return text(document.querySelector('.object-version'));
		case 'aside': return stations.filter(s => s.classList.contains('aside')).map(name).join(' ');
		}
		const at = stations.find(s => name(s) === station);
		return text(handler ? [...at.querySelectorAll('.lane')].find(l => l.querySelector('.lane-title')?.textContent === handler) : at);
	};
})()`

// looksFor waits until everything is seen, or says what is there instead.
func (b *tab) looksFor(wanted []string) {
	b.t.Helper()
	missing := eval[[]string](b, `new Promise(done => {
		const look = `+sights+`, wanted = `+list(wanted)+`, end = performance.now() + `+inPage+`;
		const again = () => {
			const missing = wanted.flatMap(w => {
				const [, not, place, want] = w.match(/^(!?)(.*?): (.*)$/);
				const got = look(place);
				return got.includes(want) === !not ? [] : [w + '\n      but is: ' + got];
			});
			if (!missing.length || performance.now() > end) done(missing); else requestAnimationFrame(again);
		};
		again();
	})`)
	for _, m := range missing {
		b.t.Errorf("the stage doesn't show: %s", m)
	}
}

func list(all []string) string {
	quoted := make([]string, len(all))
	for i, s := range all {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

// opensScript opens a script of the library, with its transcript beside the stage.
func (b *tab) opensScript(name string) {
	b.t.Helper()
	b.run(`document.activeElement.blur()`)
	b.key("e")
	b.wait(`document.querySelector('[data-act=script]')`)
	b.click(`[data-act=script][data-arg=` + quote(name) + `]`)
	b.wait(`document.querySelector('.source-name').textContent === ` + quote(name+".txt"))
	b.loaded()
}

// opensTab opens a view of the panel beside the stage: the tab that has it, and then the view.
func (b *tab) opensTab(name string) {
	b.t.Helper()
	for _, g := range desk.Groups {
		if slices.Contains(g.Tabs, desk.Tab(name)) {
			b.run(`document.querySelector('#tab-` + g.Name + `').click()`)
			b.wait(`document.querySelector('#tab-` + g.Name + `[aria-selected=true]')`)
		}
	}
	b.run(`document.querySelector('.views [data-act=tab][data-arg=` + name + `]')?.click()`)
	b.wait(`document.querySelector('.tabpanel[data-view=` + name + `]')`)
}

// goesTo goes to the first step of the transcript that did what the text says.
func (b *tab) goesTo(text string) {
	b.t.Helper()
	b.opensTab("console")
	find := `[...document.querySelectorAll('.transcript button')].find(l => l.querySelector('.facts').textContent.includes(` + quote(text) + `))`
	b.wait(find)
	step := eval[string](b, find+`.dataset.arg`)
	b.click(`.transcript button[data-arg="` + step + `"]`)
	b.wait(`document.documentElement.dataset.step === ` + quote(step))
}

// rows are the systems in their order. The engine's tests check what the
// scripts' files say, and this one what a viewer sees of it.
var rows = []row{
	{what: "1 DeltaFIFO alone", script: "01-delta-fifo-alone", moments: []moment{
		{at: "Enqueued Added pod1", sees: []string{"aside: server reflector loop processor work", "queue: 1 pod1 A 1", "store: 0 in the cache"}},
		{at: "StoreAdded pod1", sees: []string{"queue: empty", "store: pod1 1"}},
		{at: "Enqueued Updated pod1", sees: []string{"queue: 1 pod1 U 2", "store: pod1 1"}}, // only the indexer has the old version
		{do: func(b *tab) { b.click(`.st-queue .rows .chip`) }, sees: []string{`object: "value": "1.1"`}},
		{do: func(b *tab) { b.click(`.st-store .tile`) }, sees: []string{`object: "value": "1"`}},
		{at: "StoreUpdated pod1", sees: []string{"store: pod1 2", "queue: popped 2"}},
		{at: "Enqueued Deleted pod1", sees: []string{"queue: 1 pod1 D 3", "store: pod1 2"}},
		{at: "StoreDeleted pod1", sees: []string{"store: 0 in the cache", "queue: popped 3"}},
		{do: transcript, sees: []string{"console: = Added pod1@1 value=1 ", "console: = Updated pod1@2 value=1.1 ", "console: = Deleted pod1@3 value=1.1 "}},
	}},
	{what: "2 list, then watch", script: "02-list-then-watch", moments: []moment{
		{at: "ReplaceEnded", sees: []string{"reflector: R ×4", "queue: 1 default/dns R 3 2 default/proxy R 4 3 default/web-a R 2 4 default/web-b R 1", "reflector: lists 1 watches 0"}},
		{at: "Enqueued Added default/nettool", sees: []string{"server: A 5 nettool", "reflector: A 5", "reflector: lists 1 watches 1"}},
		{at: "OnDelete default/nettool", sees: []string{
			"server: D 14 nettool", "server: M 13 nettool", "server: M 12 nettool", "server: M 11 nettool", "server: M 10 nettool", "server: M 9 nettool",
			"server: M 8 nettool", "server: M 7 nettool", "server: M 6 nettool", "processor/h: OnDelete", "!store: nettool"}},
	}},
	{what: "2 a watch from no resourceVersion begins with all that there is", script: "23-streaming-list", moments: []moment{
		{at: "ListReceived 2", sees: []string{"queue: RealFIFO", "server: A 2 b", "server: A 1 a", "reflector: lists 0 watches 1", "reflector: R ×2"}},
	}},
	{what: "3 knownObjects is nil", script: "03-known-objects-nil", moments: []moment{
		{at: "DeleteIgnored", sees: []string{"queue: empty depth 0", "queue: in 9", "store: nettool 9", "said: The deletion of default/nettool is ignored"}},
		{do: transcript, sees: []string{
			"console: = Added default/nettool@1 phase=Pending", "console: = Updated default/nettool@4 image=there phase=Pending", "console: = Updated default/nettool@5 phase=Running",
			"console: = Updated default/nettool@9 deleted=yes grace=0 phase=Running", "!console: = Deleted"}},
	}},
	{what: "4 the indexer as knownObjects", script: "04-known-objects", moments: []moment{
		{at: "Enqueued Deleted", sees: []string{"queue: 1 default/nettool D 10", "store: nettool 9"}},
		{at: "StoreDeleted", sees: []string{"queue: popped 10", "store: 0 in the cache"}},
		{do: transcript, sees: []string{"console: = Updated default/nettool@9 deleted=yes grace=0 phase=Running", "console: = Deleted default/nettool@10 phase=Running"}},
	}},
	{what: "5 a small informer", script: "05-one-handler", moments: []moment{
		{at: "OnAdd default/nettool@1", sees: []string{"processor/h: OnAdd"}},
		{at: "OnUpdate default/nettool@1->2", sees: []string{"processor/h: OnUpdate"}},
		{at: "OnUpdate default/nettool@7->8", sees: []string{"processor/h: OnUpdate", "store: nettool 8"}},
		{at: "OnDelete default/nettool@9", sees: []string{"processor/h: OnDelete", "store: 0 in the cache"}},
		{at: "end", sees: []string{"processor/h: 9 calls"}},
	}},
	{what: "6 a shared processor alone", script: "06-processor-alone", moments: []moment{
		{at: "HandlerCalled one OnAdd pod0", sees: []string{"aside: server reflector queue loop store work", "processor/one: OnAdd", "processor/two: 0 calls"}},
		{at: "HandlerCalled two OnAdd pod3", sees: []string{"processor/one: OnAdd", "processor/two: OnAdd", "said: two runs OnAdd for pod3"}},
		{at: "end", sees: []string{"processor/one: 6 calls", "processor/two: 6 calls"}},
		{do: transcript, sees: []string{"console: can one OnAdd pod3 before two OnAdd pod0 = yes", "console: can two OnAdd pod3 before one OnAdd pod0 = yes", "console: can one OnAdd pod1 before one OnAdd pod0 = no"}},
	}},
	{what: "7 two handlers", script: "07-two-handlers", moments: []moment{
		{at: "HandlerCalled one OnAdd default/pod0", sees: []string{"processor/one: OnAdd", "processor/two: 0 calls"}},
		{at: "HandlerCalled two OnAdd default/pod0", sees: []string{"processor/two: OnAdd", "said: default/pod0"}},
		{at: "HandlerCalled two OnAdd default/pod3", sees: []string{"processor/one: 4 calls", "processor/two: OnAdd"}},
		{do: transcript, sees: []string{"console: can one OnAdd default/pod4 before two OnAdd default/pod4 = yes", "console: can two OnAdd default/pod4 before one OnAdd default/pod4 = yes"}},
	}},
	{what: "8 a custom key function and an index", script: "08-custom-key", moments: []moment{
		{at: "Enqueued Replaced ns1---pod1", sees: []string{"queue: 1 ns1---pod1 R 1"}},
		{at: "WatchOpened", sees: []string{"store: app 2 l1 1 l2 1", "store: ns1---pod1 1 ns2---pod2 2"}},
		{do: askRows("IndexKeys", "app", "", "l1"), sees: []string{"answer: ns1---pod1", "!answer: pod2"}},
		{do: askRows("ListIndexFuncValues", "app", "", ""), sees: []string{"answer: l1 1 l2 1"}},
	}},
	{what: "8 an object without metadata", script: "08-no-metadata", moments: []moment{
		{at: "end", do: transcript, sees: []string{"console: error: couldn't create key for object: object has no meta", "queue: empty"}},
	}},
	{what: "9 an index that is asked while the informer runs", script: "09-index-follows-labels", moments: []moment{
		{at: "OnAdd default/b@2", do: askRows("ByIndex", "app", "", "web"), sees: []string{"store: app 1 web 2", "answer: default/a 1 default/b 2"}},
		{at: "OnUpdate default/a@1->3", do: askRows("ByIndex", "app", "", "web"), sees: []string{"store: app 2 db 1 web 1", "answer: default/b 2", "!answer: default/a"}},
		{do: askRows("GetByKey", "", "", "default/a"), sees: []string{"answer: default/a 3"}},
	}},
	{what: "10 a factory: one informer for each type, shared and started once", script: "10-factory", moments: []moment{
		{at: "FactoryStarted 2", sees: []string{"said: Your program calls the factory's Start, which runs 2 informers.", "reflector: lists 0 watches 0", "processor/a: 0 calls", "processor/b: 0 calls"}},
		{sees: []string{"costs: 0 open watches, 0 lists"}},
		{at: "FactoryStarted 0", sees: []string{"said: Your program calls the factory's Start once more, which starts nothing.", "queue: HasSynced ✓", "reflector: lists 1 watches 1"}},
		{sees: []string{"costs: 2 open watches, 2 lists and 2 objects decoded, 2 cached copies"}},
		{do: transcript, sees: []string{"console: the same informer", "console: run until factory synced", "console: expect factory [pods synced, services synced]"}},
		{at: "HandlerCalled b OnAdd default/db@3", sees: []string{"server: objects 2", "processor/a: 2 calls", "processor/b: OnAdd", "store: db 3 web 1", "queue: HasSynced ✓"}},
		{at: "end", sees: []string{"costs: 2 open watches, 2 lists and 4 objects decoded, 4 cached copies"}},
	}},
	{what: "10 its other informer", script: "10-factory", informer: 1, moments: []moment{
		{at: "end", sees: []string{"processor/c: 2 calls", "store: db 4 web 2", "queue: HasSynced ✓", "reflector: lists 1 watches 1"}},
	}},
	{what: "10 deployments asked for twice, and through two versions of the API", script: "10-factory-versions", moments: []moment{
		{at: "FactoryStarted 2", sees: []string{"said: which runs 2 informers"}},
		{at: "HandlerCalled second OnUpdate default/web@1->3", sees: []string{"processor/first: 3 calls", "processor/second: OnUpdate", "!processor: old", "store: api 2 web 3"}},
		{at: "end", sees: []string{"reflector: lists 1 watches 1", "costs: 2 open watches, 2 lists and 6 objects decoded, 4 cached copies"}},
		{do: transcript, sees: []string{"console: > informer deployments.v1.apps factory = the same informer", "console: > informer deployments.v1beta1.apps factory = a new informer"}},
	}},
	{what: "10 the informer of the other version", script: "10-factory-versions", informer: 1, moments: []moment{
		{at: "end", sees: []string{"processor/old: 3 calls", "!processor: second", "store: api 2 web 3", "queue: HasSynced ✓", "reflector: lists 1 watches 1"}},
	}},
	{what: "10 one shared informer", script: "10-one-shared", moments: []moment{
		{at: "HandlerCalled c OnUpdate", sees: []string{"processor/a: 5 calls", "processor/c: OnUpdate", "costs: 1 open watch, 1 list and 5 objects decoded, 4 cached copies"}},
	}},
	{what: "10 three separate ones", script: "10-n-separate", moments: []moment{
		{at: "HandlerCalled a OnUpdate", sees: []string{"costs: 3 open watches, 3 lists and 15 objects decoded, 12 cached copies"}},
	}},
	{what: "11 resync", script: "11-resync", moments: []moment{
		{at: "OnUpdate default/web@1->1", sees: []string{"processor/h: OnUpdate", "queue: 1 kube-system/dns S 2", "server: 0 sent", "reflector: lists 1 watches 1", "reflector: resync in 60 s"}},
		{do: askRows("List", "", "default", ""), sees: []string{"answer: default/web 1", "!answer: kube-system/dns"}},
		{at: "OnUpdate kube-system/dns@2->2", sees: []string{"said: because of a resync", "server: 0 sent"}},
	}},
	{what: "12 a list fails", script: "12-errors", moments: []moment{
		{at: "ListFailed 500", sees: []string{"reflector: backing off", "reflector: internal error", "wire: internal error"}},
		{at: "WatchFailed 429", sees: []string{"reflector: backing off", "reflector: lists 2 watches 2"}},
		{at: "WatchFailed 500", sees: []string{"reflector: backing off", "reflector: lists 2"}},
		{at: "ListFailed 410", sees: []string{"said: The reflector asks anew at once."}},
	}},
	{what: "12 a watch expires", script: "12-expired", moments: []moment{
		{at: "WatchErrorReceived 410", sees: []string{"server: E ERROR", "wire: too old resource version: 2 (5)", "said: The watch sends an ERROR event: too old resource version: 2 (5)"}},
		{at: "Enqueued Deleted default/gone", sees: []string{"reflector: lists 2", "queue: 3 default/gone D 1"}},
		{at: "OnDelete default/gone", sees: []string{"processor/h: OnDelete", "said: DeletedFinalStateUnknown"}},
	}},
	{what: "12 a very short watch", script: "12-very-short-watch", moments: []moment{
		{at: "VeryShortWatch", sees: []string{"said: a very short watch", "reflector: backing off"}},
		{at: "OnUpdate default/web@1->1", sees: []string{"reflector: lists 2"}},
		{at: "end", sees: []string{"reflector: lists 2 watches 3", "reflector: watching"}},
	}},
	{what: "12 a watch that hears nothing", script: "12-half-open", moments: []moment{
		{at: "WatchErrorReceived 500", sees: []string{"wire: broken, back-off:", "reflector: backing off", "store: web 1"}},
		{at: "OnUpdate default/web@1->2", sees: []string{"reflector: watches 2", "store: web 2"}},
		{at: "end", sees: []string{"wire: half-open", "reflector: watches 2", "store: web 2"}},
	}},
	{what: "12 events that nobody expects", script: "12-skipped-events", moments: []moment{
		{at: "WatchEventSkipped Updated no metadata", sees: []string{"said: The reflector skips a watch event: the object has no metadata", "wire: watch open", "store: web 1", "queue: empty"}},
		{at: "WatchEventSkipped Updated @3 unexpected kind", sees: []string{"said: the object is of another kind", "wire: watch open", "store: web 1"}},
		{at: "WatchErrorReceived 500", sees: []string{"said: can't be decoded", "wire: broken, back-off:", "reflector: backing off"}},
		{at: "OnUpdate default/web@1->4", sees: []string{"reflector: lists 2", "store: web 4"}},
		{at: "WatchEventReceived Bookmark", sees: []string{"server: B 4", "said: BOOKMARK"}},
		{at: "WatchClosed", sees: []string{"wire: watch closed", "said: The server ends the watch after the reflector has taken 10 events from it."}},
		{at: "end", sees: []string{"wire: watch open", "reflector: lists 2 watches 3"}},
	}},
	{what: "12 a bookmark moves the resourceVersion alone", script: "12-bookmark", moments: []moment{
		{at: "WatchEventReceived Bookmark", sees: []string{"reflector: lastSyncResourceVersion 1"}},
		{at: "ResourceVersionSet rv=\"2\"", sees: []string{"reflector: lastSyncResourceVersion 2", "queue: empty", "store: web 1", "processor/h: 1 call"}},
		{at: "end", sees: []string{"wire: watch open", "reflector: lists 1"}},
	}},
	{what: "13 resync and what is queued", script: "13-resync-skips-queued", moments: []moment{
		{at: "Enqueued Sync default/a", sees: []string{"queue: 1 default/a S 1", "queue: resync goroutine"}},
		{at: "SyncSkipped", sees: []string{"said: The resync skips default/a, which has Deltas in the queue already.", "queue: 1 default/a U 3"}},
		{at: "Enqueued Sync default/b @2 2; LockReleased", sees: []string{"queue: 1 default/a U 3 2 default/b S 2"}},
	}},
	{what: "13 an object that is gone meanwhile", script: "13-resync-gone", moments: []moment{
		{at: "SyncSkipped default/b", sees: []string{"said: The resync skips default/b, which the cache doesn't hold any more.", "queue: 1 default/a S 1", "store: a 1", "!store: b 2"}},
	}},
	{what: "13 ShouldResync is false", script: "13-resync-not-due", moments: []moment{
		{at: "ResyncNotDue", sees: []string{"said: no handler is due for a resync", "queue: empty", "processor/h: 1 call"}},
		{at: "Enqueued Sync default/a", sees: []string{"queue: 1 default/a S 1"}},
	}},
	{what: "14 who hears of a Replaced with the same resourceVersion", script: "14-sync-decision", moments: []moment{
		{at: "HandlerCalled ten OnUpdate default/a@1->1", sees: []string{"processor/ten: S"}},
		{at: "HandlerCalled none OnAdd default/b", sees: []string{"processor/none: OnAdd", "!processor/none: S", "processor/ten: 3 calls"}},
		{at: "end", sees: []string{"processor/none: 2 calls", "processor/ten: 4 calls", "reflector: lists 2"}},
	}},
	{what: "14 every type of delta, for present and absent objects", script: "14-every-delta", moments: []moment{
		{at: "HandlerCalled none OnUpdate default/b@2->2", sees: []string{"said: none runs OnUpdate for default/b", "store: a 1 b 2"}},
		{at: "HandlerCalled none OnAdd default/c@6", sees: []string{"said: none runs OnAdd for default/c", "store: a 1 c 6"}},
		{at: "end", sees: []string{"processor/none: 19 calls", "processor/ten: 22 calls", "store: d 10"}},
		{do: transcript, sees: []string{
			"console: expect notified none [OnUpdate default/c@5->6, OnDelete default/c@7, OnAdd default/c@6, OnDelete default/c@7]",
			"console: expect notified none [OnDelete default/a@8, OnAdd default/a@1, OnDelete default/a@8]",
			"console: expect notified none [OnUpdate default/d@9->10]", "console: expect notified ten [OnUpdate default/d@9->10, OnUpdate default/d@10->10]"}},
	}},
	{what: "15 a slow handler", script: "15-slow-handler", moments: []moment{
		{at: "HandlerCalled quick OnAdd default/e", sees: []string{"processor/slow: 5 behind", "processor/slow: 3 / 1 024", "processor/slow: OnAdd 1 s", "store: 5 in the cache", "queue: depth 0"}},
		{at: "HandlerCalled slow OnAdd default/e", sees: []string{"processor/quick: 5 calls", "processor/slow: 1 behind"}},
	}},
	{what: "16 a late handler", script: "16-late-handler", moments: []moment{
		{at: "HandlerCalled early OnAdd default/b", until: `document.querySelector('.st-loop .held')`},
		{at: "HandlerCalled late OnAdd default/a@1", sees: []string{"processor/late: OnAdd", "processor/early: 2 calls"}},
		{at: "HandlerCalled late OnAdd default/b@2", sees: []string{"processor/late: OnAdd", "processor/early: 2 calls"}},
		{at: "HandlerCalled late OnUpdate", sees: []string{"processor/late: OnUpdate", "processor/early: 3 calls"}},
	}},
	{what: "17 run twice, and a handler after the stop", script: "17-run-twice", moments: []moment{
		{at: "CallRefused Run", sees: []string{"queue: RealFIFO", "said: Your program calls Run once more, which does nothing: the informer is running already"}},
		{at: "CallRefused AddEventHandler", sees: []string{"said: AddEventHandler refuses late: the informer has stopped", "processor/late: 0 calls"}},
	}},
	{what: "17 run twice in v0.22", script: "17-run-twice-classic", moments: []moment{
		{at: "HandlerCalled h OnUpdate default/a@3->3", sees: []string{"processor/h: OnUpdate", "store: a 3 b 2"}},
		{at: "end", sees: []string{"said: close of closed channel"}},
	}},
	{what: "18 ErrRequeue", script: "18-requeue", moments: []moment{
		{at: "Enqueued Added default/b", sees: []string{"queue: 1 default/a A 1 2 default/b A 2"}},
		{at: "Requeued default/a", sees: []string{"queue: 1 default/b A 2 2 default/a A 1", "store: 0 in the cache", "said: AddIfNotPresent puts it back at the tail"}},
		{at: "StoreAdded default/a", sees: []string{"store: a 1 b 2", "queue: empty"}},
		{at: "RequeueSkipped default/a", sees: []string{"queue: 1 default/a U 4", "said: AddIfNotPresent leaves the queue as it is: default/a is in it already."}},
	}},
	{what: "19 HasSynced", script: "19-has-synced", moments: []moment{
		{at: "ReplaceEnded", sees: []string{"queue: first list: 2 left to pop"}},
		{at: "Popped default/a", sees: []string{"queue: first list: 1 left to pop", "!queue: HasSynced"}},
		{at: "Popped default/b", sees: []string{"queue: HasSynced ✓"}},
	}},
	{what: "19 an empty first list", script: "19-has-synced-empty", moments: []moment{
		{at: "ListReceived", sees: []string{"queue: not populated"}},
		{at: "ReplaceEnded", sees: []string{"queue: HasSynced ✓", "queue: in 0"}},
	}},
	{what: "20 two deletions", script: "20-dedup", moments: []moment{
		{at: "DeltaAppended Deleted", sees: []string{"queue: U U D 4 tail", "queue: in 4 deduped 0"}},
		{at: "DeltasDeduplicated", sees: []string{"queue: U U D 4 tail", "queue: in 5 deduped 1"}},
	}},
	{what: "21 the workqueue alone", script: "21-workqueue-alone", moments: []moment{
		{at: "WorkDirty a", sees: []string{"aside: server reflector queue loop store processor", "work: queue 2 a b dirty 2 a b processing 0"}},
		{at: "WorkDeferred a", sees: []string{"work: queue 1 b dirty 2 a b processing 1 a"}},
		{at: "WorkRequeued a", sees: []string{"work: queue 2 b a dirty 2 a b processing 0"}},
		{at: "WorkDelayed c 10s", sees: []string{"work: delayed 1 c in 10 s"}},
		{at: "WorkDelayKept c", sees: []string{"work: delayed 1 c in 5 s", "said: The earlier time stays"}},
		{at: "WorkReady c", sees: []string{"work: queue 1 c dirty 1 c", "work: delayed 0"}},
		{at: "WorkRateLimited e 2", sees: []string{"work: delayed 2 d in 5 ms e in 5 ms"}},
		{at: "WorkForgotten e", sees: []string{"said: e", "work: delayed 2 d in 5 ms e in 5 ms"}},
		{at: "WorkShutDown", sees: []string{"said: The workqueue shuts down.", "work: queue 1 c"}},
		{at: "WorkGot c", sees: []string{"work: queue 0 dirty 0 processing 1 c"}},
	}},
	{what: "21 a shutdown that drains", script: "21-shutdown-with-drain", moments: []moment{
		{at: "WorkShutDown", sees: []string{"said: The workqueue shuts down.", "work: queue 1 b dirty 2 a b processing 1 a"}},
		{at: "WorkRequeued a", sees: []string{"work: queue 1 a dirty 1 a processing 0"}},
		{at: "end", do: transcript, sees: []string{"work: queue 0 dirty 0 processing 0", "console: work get = shut down"}},
	}},
	{what: "21 failures back off", script: "20-rate-limited", moments: []moment{
		{at: "WorkDelayed default/web 4.999ms", sees: []string{"work: delayed 1 default/web in 5 ms"}},
		{at: "WorkDelayed default/web 9.999ms", sees: []string{"work: delayed 1 default/web in 10 ms"}},
		{at: "WorkDelayed default/web 19.999ms", sees: []string{"work: delayed 1 default/web in 20 ms"}},
	}},
	{what: "22 the mutation detector", script: "22-mutation-detector", moments: []moment{
		{at: "OnAdd default/a", do: func(b *tab) { b.click(`.st-store .tile`) }, sees: []string{`object: "app": "web"`}},
		{at: "ObjectMutated", sees: []string{"said: The mutation detector finds default/a changed in the cache, and the process panics."}},
		{do: func(b *tab) { b.click(`.st-store .tile`) }, sees: []string{`object: - "app": "web" + "app": "db"`}},
	}},
}

func transcript(b *tab) { b.opensTab("console") }

// askRows asks the indexer, or its lister, what a program would.
func askRows(function, index, namespace, value string) func(*tab) {
	return func(b *tab) {
		b.click(`.st-store [data-act=query]`)
		b.chooses(`.query select`, function)
		if function == link.FuncListIndexFuncValues {
			b.wait(`!document.getElementById('query-value')`)
		} else {
			b.wait(`document.activeElement?.id === 'query-value' && document.activeElement.value === ''`) // the field is there, and has the focus
		}
		if index != "" {
			b.chooses(`.query select[data-arg=index]`, index)
		}
		for _, field := range []struct{ name, text string }{{"namespace", namespace}, {"value", value}} {
			if field.text == "" {
				continue
			}
			b.wait(`document.getElementById('query-` + field.name + `')`)
			b.run(`document.getElementById('query-` + field.name + `').focus(); document.getElementById('query-` + field.name + `').select()`)
			for _, r := range field.text {
				b.key(string(r))
			}
		}
		b.click(`.query [data-act=ask]`)
		b.run(`document.activeElement.blur()`)
	}
}

// chooses chooses from a list.
func (b *tab) chooses(list, value string) {
	b.t.Helper()
	find := `document.querySelector(` + quote(list) + `)`
	b.wait(find)
	b.run(`const l = ` + find + `; l.value = ` + quote(value) + `; l.dispatchEvent(new Event('change', {bubbles: true}));
		for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame)`) // what is chosen may move what is clicked next
	b.wait(find + `?.value === ` + quote(value))
}

// Every system that the page was made to show is on the stage, to its end.
func TestEveryRowIsSeen(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.media("prefers-reduced-motion", "reduce")
	b.loaded()
	for _, r := range rows {
		t.Run(r.what, func(t *testing.T) {
			was := b.t
			b.t = t
			defer func() { b.t = was }()
			b.opensScript(r.script)
			for range r.informer {
				b.key("i")
				b.loaded()
			}
			for _, m := range r.moments {
				b.comesTo(m)
			}
		})
	}
}

// comesTo goes to a moment and looks.
func (b *tab) comesTo(m moment) {
	b.t.Helper()
	switch m.at {
	case "":
	case "end":
		b.run(`document.activeElement.blur()`)
		b.toEnd()
	default:
		b.goesTo(m.at)
	}
	tab := "explain"
	for _, s := range m.sees {
		if strings.HasPrefix(s, "costs") {
			tab = "actors"
		}
	}
	b.opensTab(tab)
	if m.until != "" {
		b.goUntil(m.until)
	}
	if m.do != nil {
		m.do(b)
	}
	b.looksFor(m.sees)
}
