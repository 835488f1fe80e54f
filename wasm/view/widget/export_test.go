package widget

// MarkShapes are the paths that the tests hold to the styles.
var MarkShapes = markShapes
