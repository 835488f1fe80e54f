package script

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// gets has a function for each Subject. It returns the value, or what is wrong with the
// last argument. What is asked of an informer is asked of x.
var gets = [syntax.NumSubjects]func(r *Runner, x *informer.Informer, args []syntax.Word) (string, error){
	syntax.SubjectQueue:      queueOf,
	syntax.SubjectDeltas:     deltasOf,
	syntax.SubjectStore:      storeOf,
	syntax.SubjectGet:        getOf,
	syntax.SubjectIndex:      indexOf,
	syntax.SubjectValues:     valuesOf,
	syntax.SubjectRV:         rvOf,
	syntax.SubjectSynced:     syncedOf,
	syntax.SubjectInitial:    initialOf,
	syntax.SubjectNotified:   notifiedOf,
	syntax.SubjectCalls:      callsOf,
	syntax.SubjectCalled:     calledOf,
	syntax.SubjectBehind:     behindOf,
	syntax.SubjectPending:    pendingOf,
	syntax.SubjectSyncing:    syncingOf,
	syntax.SubjectWorkqueue:  workqueueOf,
	syntax.SubjectDirty:      dirtyOf,
	syntax.SubjectProcessing: processingOf,
	syntax.SubjectDelayed:    delayedOf,
	syntax.SubjectServer:     serverOf,
	syntax.SubjectRevision:   revisionOf,
	syntax.SubjectWatch:      watchOf,
	syntax.SubjectMessage:    messageOf,
	syntax.SubjectActor:      actorOf,
	syntax.SubjectLock:       lockOf,
	syntax.SubjectCosts:      costsOf,
	syntax.SubjectTime: func(r *Runner, _ *informer.Informer, _ []syntax.Word) (string, error) {
		return syntax.TimeText(r.w.Now()), nil
	},
	syntax.SubjectSteps: func(r *Runner, _ *informer.Informer, _ []syntax.Word) (string, error) {
		return strconv.FormatInt(r.w.Steps(), 10), nil
	},
	syntax.SubjectFactory: factoryOf,
	syntax.SubjectStopped: func(_ *Runner, x *informer.Informer, _ []syntax.Word) (string, error) {
		return strconv.FormatBool(x.Stopped()), nil
	},
	syntax.SubjectCrash: crashOf,
}

// value answers a question. It makes the run if there is none yet.
func (r *Runner) value(q syntax.Question) (string, error) {
	if err := r.begin(q.Line); err != nil {
		return "", err
	}
	i, err := r.informerNamed(q.Informer, q.Line)
	if err != nil {
		return "", err
	}
	v, wrong := gets[q.Of](r, r.w.Informers[i], q.Args)
	if wrong != nil {
		return "", syntax.At(q.Line, q.Args[len(q.Args)-1].Col, wrong)
	}
	return v, nil
}
