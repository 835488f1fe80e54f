package cr025

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// rywCall is a call of the client, in a goroutine of its own. It is also that call's
// context, which notes who asks it for Done.
type rywCall struct {
	context.Context
	cancel context.CancelFunc
	id     string
	what   string
	waits  atomic.Value
}

// callerKey is the key of the call in its context.
type callerKey struct{}

// Value implements context.Context.
func (c *rywCall) Value(key any) any {
	if key == (callerKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// Done implements context.Context.
func (c *rywCall) Done() <-chan struct{} {
	var pcs [24]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		for _, known := range [][2]string{
			{"internal.(*Informers).Get", "informerSync"}, {"waitForHandlerSyncLocked", "handlerSync"}, {"consistentClient).Get", "barrier"},
			{"consistentClient).List", "barrier"}, {"waitForRV", "rv"}, {"waitDeletes", "deletes"},
		} {
			if strings.HasSuffix(f.Function, known[0]) {
				c.waits.Store(known[1])
				return c.Context.Done()
			}
		}
		if !more {
			return c.Context.Done()
		}
	}
}

func (p *rywPlayer) call(verb string, op *rywOp) {
	c := &rywCall{id: op.ID, what: verb + " " + op.Name}
	if verb == "list" {
		c.what = verb
	}
	if c.id == "" {
		p.named++
		c.id = fmt.Sprintf("c%d", p.named)
	}
	c.Context, c.cancel = context.WithCancel(context.Background())
	if op.TimeoutMs > 0 {
		c.Context, c.cancel = context.WithTimeout(context.Background(), time.Duration(op.TimeoutMs)*time.Millisecond)
	}
	p.mu.Lock()
	p.calls = append(p.calls, c)
	p.mu.Unlock()
	go func() {
		result, err := p.perform(c, verb, op)
		if err != nil {
			result = "ERR " + errorText(err)
		}
		p.mu.Lock()
		p.calls = slices.DeleteFunc(p.calls, func(o *rywCall) bool { return o == c })
		p.mu.Unlock()
		c.cancel()
		p.record("done "+c.id+" "+c.what+" -> "+result, true)
	}()
}

func errorText(err error) string {
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &status):
		return string(status.Status().Reason) + ": " + err.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "DeadlineExceeded: " + err.Error()
	case errors.Is(err, context.Canceled):
		return "Canceled: " + err.Error()
	}
	return err.Error()
}

type noWait struct{}

func (noWait) ApplyToGet(o *client.GetOptions)       { o.DisableReadYourWritesConsistency = true }
func (noWait) ApplyToList(o *client.ListOptions)     { o.DisableReadYourWritesConsistency = true }
func (noWait) ApplyToCreate(o *client.CreateOptions) { o.DisableReadYourWritesConsistency = true }
func (noWait) ApplyToUpdate(o *client.UpdateOptions) { o.DisableReadYourWritesConsistency = true }
func (noWait) ApplyToPatch(o *client.PatchOptions)   { o.DisableReadYourWritesConsistency = true }
func (noWait) ApplyToDelete(o *client.DeleteOptions) { o.DisableReadYourWritesConsistency = true }

// asking is the option of calls that don't wait, or none.
func asking[O any](op *rywOp) (all []O) {
	if op.NoWait {
		all = append(all, any(noWait{}).(O))
	}
	return all
}

func (p *rywPlayer) perform(ctx context.Context, verb string, op *rywOp) (string, error) {
	o := p.object(op)
	switch verb {
	case "get":
		err := p.c.Get(ctx, types.NamespacedName{Namespace: "ns", Name: op.Name}, o, asking[client.GetOption](op)...)
		return rywText(o), err
	case "list":
		var l corev1.ConfigMapList
		err := p.c.List(ctx, &l, append(asking[client.ListOption](op), client.InNamespace("ns"))...)
		all := []string{}
		for i := range l.Items {
			all = append(all, rywText(&l.Items[i]))
		}
		slices.Sort(all)
		return "[" + strings.Join(all, " ") + "]", err
	case "deleteAllOf":
		return "", p.c.DeleteAllOf(ctx, o)
	case "delete":
		o.SetUID(types.UID(op.UID))
		all := asking[client.DeleteOption](op)
		if op.Precond != "" {
			uid := types.UID(op.Precond)
			all = append(all, client.Preconditions{UID: &uid})
		}
		return "ok", p.c.Delete(ctx, o, all...)
	case "patch":
		err := p.c.Patch(ctx, o, client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"data":{"v":%q}}`, op.Data)), asking[client.PatchOption](op)...)
		return rywText(o), err
	}
	o.SetUID(types.UID(op.UID))
	o.SetResourceVersion(op.RV)
	if op.Fin {
		o.SetFinalizers([]string{"x/y"})
	}
	switch x := o.(type) {
	case *corev1.ConfigMap:
		x.Data = map[string]string{"v": op.Data}
	case *unstructured.Unstructured:
		x.Object["data"] = map[string]any{"v": op.Data}
	}
	var err error
	if verb == "create" {
		err = p.c.Create(ctx, o, asking[client.CreateOption](op)...)
	} else {
		err = p.c.Update(ctx, o, asking[client.UpdateOption](op)...)
	}
	return rywText(o), err
}

func rywText(o client.Object) string {
	data := ""
	switch x := o.(type) {
	case *corev1.ConfigMap:
		data = x.Data["v"]
	case *unstructured.Unstructured:
		data, _, _ = unstructured.NestedString(x.Object, "data", "v")
	}
	return fmt.Sprintf("%s@%s#%s=%s", o.GetName(), o.GetResourceVersion(), o.GetUID(), data)
}
