// Package how says how an answer of the API server ended.
package how

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"

	"github.com/informerscope/informerscope/replay/record/follow"
)

// Of returns how an answer ended whose body returned err.
func Of(err error) follow.How {
	var n net.Error
	switch {
	case err == io.EOF:
		return follow.EOF
	case errors.Is(err, context.Canceled):
		return follow.Canceled
	case errors.Is(err, syscall.ECONNREFUSED):
		return follow.Refused
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &n) && n.Timeout():
		return follow.Timeout
	}
	return follow.Reset
}
