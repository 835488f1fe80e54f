//go:build copied

package explored

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/sample-controller/pkg/apis/samplecontroller/v1alpha1"
	"k8s.io/sample-controller/pkg/generated/clientset/versioned"
	"k8s.io/sample-controller/pkg/generated/informers/externalversions"

	"github.com/informerscope/informerscope/replay/testserver"
	"github.com/informerscope/informerscope/replay/testserver/explore"
)

func TestMain(m *testing.M) {
	utilruntime.ErrorHandlers = nil // see package explore
	explore.Main(m)
}

// options are what all tests here have: a server with Foos, and a garbage collector.
func options(o explore.Options) explore.Options {
	o.Server = testserver.Options{Resources: []testserver.Resource{testserver.CustomResource("samplecontroller.k8s.io", "v1alpha1", "foos", "Foo")}, CollectAfter: 200 * time.Millisecond}
	return o
}

// shop is the namespace of a run. It reads the server, and no cache.
type shop struct {
	*explore.Run
	kube *kubernetes.Clientset
	foos *versioned.Clientset
}

// start starts the controller as its main function does, without signals and flags.
func start(r *explore.Run) shop {
	config := explore.Config[rest.Config](r)
	kube, sample := kubernetes.NewForConfigOrDie(config), versioned.NewForConfigOrDie(config)
	kubeFactory, sampleFactory := informers.NewSharedInformerFactory(kube, 30*time.Second), externalversions.NewSharedInformerFactory(sample, 30*time.Second)
	c := NewController(r.Context(), kube, sample, kubeFactory.Apps().V1().Deployments(), sampleFactory.Samplecontroller().V1alpha1().Foos())
	kubeFactory.Start(r.Context().Done())
	sampleFactory.Start(r.Context().Done())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := c.Run(r.Context(), 2); err != nil {
			r.Errorf("the controller: %v", err)
		}
	}()
	r.Cleanup(func() {
		<-ended
		kubeFactory.Shutdown()
		sampleFactory.Shutdown()
	})
	direct := *config
	direct.Transport = r.Server
	return shop{r, kubernetes.NewForConfigOrDie(&direct), versioned.NewForConfigOrDie(&direct)}
}

// make makes the Foo web, which wants so many replicas.
func (s shop) make(replicas int32) {
	foo := &v1alpha1.Foo{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: v1alpha1.FooSpec{DeploymentName: "web", Replicas: &replicas}}
	if _, err := s.foos.SamplecontrollerV1alpha1().Foos("shop").Create(s.Context(), foo, metav1.CreateOptions{}); err != nil {
		s.Fatal(err)
	}
}

// scale changes how many replicas web wants.
func (s shop) scale(replicas int32) {
	for {
		foo, err := s.foos.SamplecontrollerV1alpha1().Foos("shop").Get(s.Context(), "web", metav1.GetOptions{})
		if err != nil {
			s.Fatal(err)
		}
		foo.Spec.Replicas = &replicas
		switch _, err := s.foos.SamplecontrollerV1alpha1().Foos("shop").Update(s.Context(), foo, metav1.UpdateOptions{}); {
		case err == nil:
			return
		case !apierrors.IsConflict(err): // with the controller, which writes the status
			s.Fatal(err)
		}
	}
}

// deployment is web's, nil for none.
func (s shop) deployment() *appsv1.Deployment {
	d, err := s.kube.AppsV1().Deployments("shop").Get(s.Context(), "web", metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		s.Fatal(err)
	}
	return d
}

// TestReplicasInTheEnd holds that the controller reaches the wanted replicas in every schedule. The Foo is
// scaled, deleted and made again.
func TestReplicasInTheEnd(t *testing.T) {
	explore.Explore(t, options(explore.Options{Runs: 60}), func(r *explore.Run) {
		s := start(r)
		s.make(1)
		time.Sleep(time.Second)
		s.scale(3)
		time.Sleep(20 * time.Millisecond)
		s.scale(2)
		time.Sleep(2 * time.Second)
		if err := s.foos.SamplecontrollerV1alpha1().Foos("shop").Delete(s.Context(), "web", metav1.DeleteOptions{}); err != nil {
			s.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		s.make(4)
		time.Sleep(20 * time.Minute) // the back-off of an item may be as long
		foo, err := s.foos.SamplecontrollerV1alpha1().Foos("shop").Get(s.Context(), "web", metav1.GetOptions{})
		if err != nil {
			s.Fatal(err)
		}
		if d := s.deployment(); d == nil || *d.Spec.Replicas != 4 || !metav1.IsControlledBy(d, foo) {
			s.Errorf("web wants 4 replicas, and has %+v", d)
		}
	})
}

// TestADeploymentForAFooThatIsGone finds that the controller hears of a Deployment that was collected
// before it hears that its Foo is gone: it makes another Deployment for that Foo, which has to be
// collected, too.
func TestADeploymentForAFooThatIsGone(t *testing.T) {
	explore.FindKnown(t, options(explore.Options{Runs: 300, Folder: t.TempDir()}), func(r *explore.Run) {
		s := start(r)
		s.make(1)
		var first types.UID
		for range 100 {
			if d := s.deployment(); d != nil {
				first = d.UID
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(5 * time.Second)
		if err := s.foos.SamplecontrollerV1alpha1().Foos("shop").Delete(s.Context(), "web", metav1.DeleteOptions{}); err != nil {
			s.Fatal(err)
		}
		for range 400 {
			if d := s.deployment(); d != nil && d.UID != first {
				s.Errorf("there is another deployment for a Foo that is gone")
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
}
