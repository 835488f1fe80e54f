package words

// What the tests hold the catalogues to.
var (
	Categories = categories
	Unset      = unset
)
