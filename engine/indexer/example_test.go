package indexer_test

import (
	"fmt"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
)

// The cache finds the objects of a namespace by an index, and tells the log what it did.
func Example() {
	table := object.NewTable(nil)
	x, err := indexer.New(table, indexer.Gates{}, indexer.Named{Name: indexer.NamespaceIndex, Func: indexer.MetaNamespaceIndexFunc})
	if err != nil {
		fmt.Println(err)
		return
	}
	var log event.Log
	for _, name := range []string{"web", "api"} {
		if err := x.Add(table.Add(object.Meta{Namespace: table.Sym("shop"), Name: table.Sym(name)}), &log); err != nil {
			fmt.Println(err)
		}
	}
	refs, err := x.ByIndex(indexer.NamespaceIndex, "shop", nil)
	for _, r := range refs {
		fmt.Println(table.KeyText(table.KeyOf(r)))
	}
	fmt.Println(err, log.Events[0].Kind)
	_, err = x.ByIndex("app", "web", nil)
	fmt.Println(err)
	// Unordered output:
	// shop/web
	// shop/api
	// <nil> StoreAdded
	// Index with name app does not exist
}
