package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interrupted is the cause of a context that a signal ended.
type interrupted struct{ Signal os.Signal }

func (i interrupted) Error() string { return "stopped by " + i.Signal.String() }

// ExitCode is 128 and the signal's number, as a shell reports it.
func (i interrupted) ExitCode() int {
	if i.Signal == syscall.SIGTERM {
		return 143
	}
	return 130
}

// withSignals returns a context that the first SIGINT or SIGTERM cancels, so
// that the work ends at the next safe place. A second signal kills at once.
func withSignals(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	stopping := make(chan os.Signal, 1)
	signal.Notify(stopping, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-stopping:
			signal.Stop(stopping)
			cancel(interrupted{s})
		case <-ctx.Done():
		}
	}()
	// Without this a write to a pipe that nobody reads kills the process, in
	// the middle of a repair. Not signal.Ignore, which children inherit.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return ctx, func() {
		signal.Stop(stopping)
		cancel(nil)
	}
}
