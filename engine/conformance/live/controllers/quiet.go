package controllers

import (
	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// Handled errors would wait until the time of the process, which is decades after that of
// a bubble.
func init() {
	utilruntime.ErrorHandlers = nil
	klog.SetLogger(logr.Discard())
}
