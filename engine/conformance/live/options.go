package live

import (
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// options writes what was asked for.
func options(o metav1.ListOptions) string {
	s := fmt.Sprintf("rv=%q", o.ResourceVersion)
	if o.ResourceVersionMatch != "" {
		s += " match=" + string(o.ResourceVersionMatch)
	}
	if o.Limit != 0 {
		s += fmt.Sprintf(" limit=%d", o.Limit)
	}
	if o.Continue != "" {
		s += fmt.Sprintf(" continue=%q", o.Continue)
	}
	if o.AllowWatchBookmarks {
		s += " bookmarks"
	}
	if sendsInitial(o) {
		s += " sendInitialEvents=true"
	}
	if shard := shardSelector(o); shard != "" {
		s += fmt.Sprintf(" shardSelector=%q", shard)
	}
	if o.TimeoutSeconds != nil {
		if n := *o.TimeoutSeconds; n >= 300 && n <= 600 {
			s += " timeout=[300,600]"
		} else {
			s += fmt.Sprintf(" timeout=%d", n)
		}
	}
	return s
}

// sendsInitial reads SendInitialEvents, which old versions do not have.
func sendsInitial(o metav1.ListOptions) bool {
	f := reflect.ValueOf(o).FieldByName("SendInitialEvents")
	return f.IsValid() && !f.IsNil() && f.Elem().Bool()
}

// shardSelector reads ShardSelector, which old versions do not have.
func shardSelector(o metav1.ListOptions) string {
	f := reflect.ValueOf(o).FieldByName("ShardSelector")
	if !f.IsValid() {
		return ""
	}
	return f.String()
}
