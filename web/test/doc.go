// Package test opens the built page in a real Chromium and uses it as people
// do. It is a module of its own, so that what drives the browser stays out of
// the page's dependencies.
//
// The page tells how it is by attributes of its root element; the tests wait
// for those, and never for time to pass.
package test
