package script

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/script/syntax"
)

// gets has a function for each Subject. It returns the value, or what is wrong with the
// last argument. What is asked of an informer is asked of x.
var subjectValues = [syntax.NumSubjects]func(r *Runner, x *informer.Informer, args []syntax.Word) (string, error){
	syntax.SubjectQueue:      (*Runner).queueValue,
	syntax.SubjectDeltas:     (*Runner).deltasValue,
	syntax.SubjectStore:      (*Runner).storeValue,
	syntax.SubjectGet:        (*Runner).getValue,
	syntax.SubjectIndex:      (*Runner).indexValue,
	syntax.SubjectValues:     (*Runner).valuesValue,
	syntax.SubjectRV:         (*Runner).rvValue,
	syntax.SubjectSynced:     (*Runner).syncedValue,
	syntax.SubjectInitial:    (*Runner).initialValue,
	syntax.SubjectNotified:   (*Runner).notifiedValue,
	syntax.SubjectCalls:      (*Runner).callsValue,
	syntax.SubjectCalled:     (*Runner).calledValue,
	syntax.SubjectBehind:     (*Runner).behindValue,
	syntax.SubjectPending:    (*Runner).pendingValue,
	syntax.SubjectSyncing:    (*Runner).syncingValue,
	syntax.SubjectWorkqueue:  (*Runner).workqueueValue,
	syntax.SubjectDirty:      (*Runner).dirtyValue,
	syntax.SubjectProcessing: (*Runner).processingValue,
	syntax.SubjectDelayed:    (*Runner).delayedValue,
	syntax.SubjectServer:     (*Runner).serverValue,
	syntax.SubjectRevision:   (*Runner).revisionValue,
	syntax.SubjectWatch:      (*Runner).watchValue,
	syntax.SubjectMessage:    (*Runner).messageValue,
	syntax.SubjectActor:      (*Runner).actorValue,
	syntax.SubjectLock:       (*Runner).lockValue,
	syntax.SubjectCosts:      (*Runner).costsValue,
	syntax.SubjectTime: func(r *Runner, _ *informer.Informer, _ []syntax.Word) (string, error) {
		return syntax.TimeText(r.w.Now()), nil
	},
	syntax.SubjectSteps: func(r *Runner, _ *informer.Informer, _ []syntax.Word) (string, error) {
		return strconv.FormatInt(r.w.Steps(), 10), nil
	},
	syntax.SubjectFactory: (*Runner).factoryValue,
	syntax.SubjectStopped: func(_ *Runner, x *informer.Informer, _ []syntax.Word) (string, error) {
		return strconv.FormatBool(x.Stopped()), nil
	},
	syntax.SubjectCrash: (*Runner).crashValue,
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
	v, wrong := subjectValues[q.Of](r, r.w.Informers[i], q.Args)
	if wrong != nil {
		return "", syntax.At(q.Line, q.Args[len(q.Args)-1].Col, wrong)
	}
	return v, nil
}
