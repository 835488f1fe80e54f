package v038

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/sharding"
	"k8s.io/client-go/tools/cache"
)

func init() {
	version.SetShard = func(inf cache.SharedIndexInformer, key string, index, total int) error {
		selector, err := sharding.NewShardRangeSelector(key, index, total)
		if err != nil {
			return err
		}
		return inf.SetShardSelector(selector)
	}
	version.ShardInfo = func(list runtime.Object, selector string) {
		list.(metav1.ShardedListInterface).SetShardInfo(&metav1.ShardInfo{Selector: selector})
	}
}
