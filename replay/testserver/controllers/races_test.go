package controllers

import (
	"context"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// race is a controller of configmaps, which owns secrets, with a planted race: it takes its cache for the truth.
type race struct {
	name string
	// reconcile is what the controller does for an owner and its children, as it has read them.
	reconcile func(ctx context.Context, v *visit) error
	children  int // that each owner is given by somebody else
	// harm counts what went wrong for an owner in the end.
	harm func(v *visit) int
}

// touched is the annotation by which somebody else wakes the controller.
const touched = "touched"

// races are the controllers. Those that write no owner can't be helped by an annotation of it, and so on.
var races = []race{
	{
		// makes has a child for each owner, and writes down how many there were.
		name: "makes", reconcile: func(ctx context.Context, v *visit) error {
			if len(v.children) == 0 {
				if err := v.create(ctx, nil); err != nil {
					return err
				}
			}
			if n := strconv.Itoa(len(v.children)); v.owner.Annotations["children"] != n {
				v.owner.Annotations["children"] = n
				return v.update(ctx, v.owner)
			}
			return nil
		},
		harm: func(v *visit) int { return len(v.children) - 1 },
	},
	{
		// thins leaves each owner one of its three children, and deletes any of the others.
		name: "thins", children: 3, reconcile: func(ctx context.Context, v *visit) error {
			for i := 1; i < len(v.children); i++ {
				v.turn++
				if err := v.delete(ctx, &v.children[v.turn%len(v.children)]); client.IgnoreNotFound(err) != nil {
					return err
				}
			}
			return nil
		},
		harm: func(v *visit) int { return 1 - len(v.children) },
	},
	{
		// notes writes down each touch after those that it has read.
		name: "notes", reconcile: func(ctx context.Context, v *visit) error {
			notes := strings.Fields(v.owner.Data["notes"])
			if now := v.owner.Annotations[touched]; !slices.Contains(notes, now) {
				before := v.owner.DeepCopy()
				v.owner.Data = map[string]string{"notes": strings.Join(append(notes, now), " ")}
				v.noted++
				return v.patch(ctx, v.owner, before)
			}
			return nil
		},
		harm: func(v *visit) int { return v.noted - len(strings.Fields(v.owner.Data["notes"])) },
	},
	{
		// claims wants one of the children that wait for an owner, and takes any.
		name: "claims", children: 3, reconcile: func(ctx context.Context, v *visit) error {
			if slices.ContainsFunc(v.children, claimed) {
				return nil
			}
			v.turn++
			child := &v.children[v.turn%len(v.children)]
			if err := controllerutil.SetControllerReference(v.owner, child, v.client.Scheme()); err != nil {
				return err
			}
			return v.update(ctx, child)
		},
		harm: func(v *visit) (n int) {
			for _, c := range v.children {
				if claimed(c) {
					n++
				}
			}
			return n - 1
		},
	},
	{
		// numbers gives each of two children the next number of its owner.
		name: "numbers", reconcile: func(ctx context.Context, v *visit) error {
			if len(v.children) >= 2 {
				return nil
			}
			next := v.owner.Data["next"]
			if err := v.create(ctx, map[string]string{"number": "n" + next}); err != nil {
				return err
			}
			n, _ := strconv.Atoi(next)
			before := v.owner.DeepCopy()
			v.owner.Data = map[string]string{"next": strconv.Itoa(n + 1)}
			return v.patch(ctx, v.owner, before)
		},
		harm: func(v *visit) int {
			numbers := map[string]bool{}
			for _, c := range v.children {
				numbers[c.Labels["number"]] = true
			}
			return len(v.children) - len(numbers)
		},
	},
}

func claimed(c corev1.Secret) bool { return len(c.OwnerReferences) > 0 }
