package shop

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// kubelets play all nodes: pods start, run, end and go, and no container does.
type kubelets struct {
	t      *testing.T
	client kubernetes.Interface
	mu     sync.Mutex
	ips    int
	after  map[string]bool // what was seen to, by UID and resourceVersion
}

// startKubelets adds nodes, keeps their leases, and runs what is scheduled to them.
func startKubelets(t *testing.T, client kubernetes.Interface, nodes ...string) {
	t.Helper()
	k := &kubelets{t: t, client: client, after: map[string]bool{}}
	for i, name := range nodes {
		k.add(name, fmt.Sprintf("192.168.0.%d", i+1))
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	if _, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { k.see(o.(*corev1.Pod)) },
		UpdateFunc: func(_, o any) { k.see(o.(*corev1.Pod)) },
	}); err != nil {
		t.Fatal(err)
	}
	factory.Start(t.Context().Done())
}

// add registers a node, and renews its lease as often as a kubelet does.
func (k *kubelets) add(name, ip string) {
	k.t.Helper()
	ctx := k.t.Context()
	much := corev1.ResourceList{"cpu": resource.MustParse("4"), "memory": resource.MustParse("8Gi"), "pods": resource.MustParse("110")}
	now := metav1.Now()
	_, err := k.client.CoreV1().Nodes().Create(ctx, &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}},
		Status: corev1.NodeStatus{
			Capacity: much, Allocatable: much,
			Addresses:  []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: ip}, {Type: corev1.NodeHostName, Address: name}},
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: now, LastTransitionTime: now}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		k.t.Fatal(err)
	}
	leases, seconds := k.client.CoordinationV1().Leases("kube-node-lease"), int32(40)
	renewed := metav1.NowMicro()
	lease, err := leases.Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &name, LeaseDurationSeconds: &seconds, RenewTime: &renewed},
	}, metav1.CreateOptions{})
	if err != nil {
		k.t.Fatal(err)
	}
	go func() {
		tick := time.NewTicker(10 * time.Second)
		defer tick.Stop()
		for err == nil {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			renewed := metav1.NowMicro()
			lease.Spec.RenewTime = &renewed
			lease, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
		}
	}()
}

// see does what a kubelet does next to a pod of its own, after a while.
func (k *kubelets) see(p *corev1.Pod) {
	var while time.Duration
	var do func(context.Context, *corev1.Pod) error
	switch state := stateOf(p); {
	case p.Spec.NodeName == "":
		return
	case p.DeletionTimestamp != nil:
		while, do = 400*time.Millisecond, k.end
	case state == "":
		while, do = 150*time.Millisecond, k.create
	case state == "ContainerCreating" && strings.HasSuffix(p.Spec.Containers[0].Image, ":broken"):
		while, do = 500*time.Millisecond, func(ctx context.Context, p *corev1.Pod) error { return k.waits(ctx, p, "ErrImagePull") }
	case state == "ErrImagePull":
		while, do = 900*time.Millisecond, func(ctx context.Context, p *corev1.Pod) error { return k.waits(ctx, p, "ImagePullBackOff") }
	case state == "ContainerCreating":
		while, do = 600*time.Millisecond, k.run
	case state == "Running" && p.Spec.RestartPolicy == corev1.RestartPolicyNever:
		while, do = 800*time.Millisecond, k.succeed
	default:
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if of := string(p.UID) + p.ResourceVersion; !k.after[of] {
		k.after[of] = true
		p := p.DeepCopy()
		// A pod that has changed meanwhile is seen again.
		time.AfterFunc(while, func() { _ = do(k.t.Context(), p) })
	}
}

// stateOf is what the pod's container does, or "" before there is one.
func stateOf(p *corev1.Pod) string {
	if len(p.Status.ContainerStatuses) == 0 {
		return ""
	}
	switch s := p.Status.ContainerStatuses[0].State; {
	case s.Waiting != nil:
		return s.Waiting.Reason
	case s.Running != nil:
		return "Running"
	}
	return "Terminated"
}

func (k *kubelets) create(ctx context.Context, p *corev1.Pod) error {
	now := metav1.Now()
	p.Status.StartTime = &now
	p.Status.HostIP, p.Status.HostIPs = "192.168.0."+p.Spec.NodeName[len(p.Spec.NodeName)-1:], nil
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: p.Spec.Containers[0].Name, Image: p.Spec.Containers[0].Image}}
	return k.waits(ctx, p, "ContainerCreating")
}

func (k *kubelets) waits(ctx context.Context, p *corev1.Pod, reason string) error {
	p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
	return k.writeStatus(ctx, p, corev1.PodPending, corev1.ConditionFalse, "ContainersNotReady")
}

func (k *kubelets) run(ctx context.Context, p *corev1.Pod) error {
	k.mu.Lock()
	k.ips++
	ip := fmt.Sprintf("10.244.0.%d", k.ips)
	k.mu.Unlock()
	p.Status.PodIP, p.Status.PodIPs = ip, []corev1.PodIP{{IP: ip}}
	s, yes := &p.Status.ContainerStatuses[0], true
	s.Ready, s.Started, s.ContainerID = true, &yes, "containerd://"+string(p.UID)
	s.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}
	return k.writeStatus(ctx, p, corev1.PodRunning, corev1.ConditionTrue, "")
}

func (k *kubelets) succeed(ctx context.Context, p *corev1.Pod) error {
	s, no := &p.Status.ContainerStatuses[0], false
	s.Ready, s.Started = false, &no
	s.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: s.State.Running.StartedAt, FinishedAt: metav1.Now()}}
	return k.writeStatus(ctx, p, corev1.PodSucceeded, corev1.ConditionFalse, "PodCompleted")
}

// writeStatus writes the pod's status.
func (k *kubelets) writeStatus(ctx context.Context, p *corev1.Pod, phase corev1.PodPhase, ready corev1.ConditionStatus, reason string) error {
	p.Status.Phase = phase
	set := func(kind corev1.PodConditionType, status corev1.ConditionStatus, reason string) {
		c := corev1.PodCondition{Type: kind, Status: status, Reason: reason, LastTransitionTime: metav1.Now()}
		for i := range p.Status.Conditions {
			if x := &p.Status.Conditions[i]; x.Type == kind {
				if x.Status != status {
					*x = c
				}
				return
			}
		}
		p.Status.Conditions = append(p.Status.Conditions, c)
	}
	set(corev1.PodInitialized, corev1.ConditionTrue, "")
	set(corev1.ContainersReady, ready, reason)
	set(corev1.PodReady, ready, reason)
	_, err := k.client.CoreV1().Pods(p.Namespace).UpdateStatus(ctx, p, metav1.UpdateOptions{})
	return err
}

// end removes a pod whose containers have stopped.
func (k *kubelets) end(ctx context.Context, p *corev1.Pod) error {
	at := int64(0)
	return k.client.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name, metav1.DeleteOptions{GracePeriodSeconds: &at, Preconditions: metav1.NewUIDPreconditions(string(p.UID))})
}
