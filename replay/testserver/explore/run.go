package explore

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// Context ends when the test has returned.
func (r *Run) Context() context.Context { return r.ctx }

// Cleanup calls f when the test has returned and its Context has ended.
func (r *Run) Cleanup(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ends = append(r.ends, f)
}

// Fail says that the run has failed.
func (r *Run) Fail() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed < 0 {
		r.failed = time.Since(r.began)
		r.Recorder.Mark("the test fails")
	}
}

// Failed reports whether the run has failed.
func (r *Run) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed >= 0
}

// FailNow ends the run.
func (r *Run) FailNow() {
	r.Fail()
	runtime.Goexit()
}

// Log keeps a line, which is shown if the run fails.
func (r *Run) Log(args ...any) { r.say(fmt.Sprintln(args...)) }

// Logf is Log with a format.
func (r *Run) Logf(format string, args ...any) { r.say(fmt.Sprintf(format, args...)) }

func (r *Run) say(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, strings.TrimRight(text, "\n"))
}

// Error is Log and Fail.
func (r *Run) Error(args ...any) {
	r.Log(args...)
	r.Fail()
}

// Errorf is Logf and Fail.
func (r *Run) Errorf(format string, args ...any) {
	r.Logf(format, args...)
	r.Fail()
}

// Fatal is Log and FailNow.
func (r *Run) Fatal(args ...any) {
	r.Log(args...)
	r.FailNow()
}

// Fatalf is Logf and FailNow.
func (r *Run) Fatalf(format string, args ...any) {
	r.Logf(format, args...)
	r.FailNow()
}
