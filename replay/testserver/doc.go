// Package testserver is an API server for tests of controllers. It keeps objects as JSON,
// and does with lists, watches and writes what a real server does: resourceVersions and
// conflicts, pages, selectors, bookmarks, streaming lists, 410 after a compaction,
// subresources status, finalizers, graceful deletion. It imports nothing of Kubernetes, needs
// no port, and works within a bubble of testing/synctest, where a test of five minutes takes
// milliseconds.
//
//	synctest.Test(t, func(t *testing.T) {
//		server := testserver.New(testserver.Options{})
//		defer server.Close()
//		client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://testserver", Transport: server, QPS: -1,
//			ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
//		…
//	})
//
// It has no admission and no defaults, and validates the metadata alone. Options.Defaults adds those of
// Pods and Services: what kube-apiserver and its admission give them, the refusals that clients meet most
// often, and the addresses of Services. Quantities stay as they were written. Nobody runs pods, and a
// namespace needn't exist. Options.CollectAfter adds the garbage collector, and no other controller.
// Options.Fields adds server-side apply and managedFields, and Options.Strategic adds strategic merge
// patches, both by the module replay/testserver/apply. It speaks JSON. What it can't do, it refuses as a
// real server does: 415 for protobuf, CBOR, strategic merge patches of custom resources and without
// Strategic, and server-side apply without Fields; 406 for Tables of any but custom resources, whose
// columns a real server knows; and 404 for subresources other than status, scale and eviction.
//
// Its answers are held against those of a real API server: testdata/custom.txt has requests for custom
// resources, builtin.txt for kinds that every server has, pods.txt for the defaults of Pods and Services,
// and strategic.txt strategic merge patches, each with what the real one answered, and "make controlplane"
// asks it again. Of a refusal, the code, the reason and the time to wait are the same, and the words are
// not. What else differs is that there are no managedFields and no remainingItemCount.
package testserver
