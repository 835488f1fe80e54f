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
// It has no admission, no defaults, no validation but that of the metadata, and no
// controllers: nobody collects the dependents of a deleted owner, nobody runs pods, and a
// namespace needn't exist. It speaks JSON. What it can't do, it refuses as a real server
// does: 415 for protobuf, CBOR, strategic merge patches and server-side apply, 406 for
// Tables, 404 for other subresources, 400 for a dry run.
package testserver
