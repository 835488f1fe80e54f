// Package test opens the built page in a real Chromium and uses it as people
// do. It is a module of its own, so that the browser's driver stays out of the
// page's dependencies.
//
// The page says its state in attributes of its root element. The tests wait for
// these and never for time to pass. README.md has more.
package test
