package migrate

import (
	"context"
	"time"

	"boltmend/repair"
)

// Options of a run. The zero value scans or repairs everything with the
// default repair.
type Options struct {
	Repair repair.Options
	// Buckets are globs over encoded bucket paths ("*" stays within a name,
	// "**" crosses); Only are refs of records or histories; IDs are call
	// ids. Each narrows the run; none of them forces anything.
	Buckets []string
	Only    []string
	IDs     []string
	// All reports sound histories too; Strict makes lint count for the exit
	// code.
	All    bool
	Strict bool
	// Workers is how many values are judged at once; 0 is one per CPU.
	Workers int
	// LockWait is how long to wait for a lock that another process holds.
	LockWait time.Duration

	// DryRun does all that a repair does but for writing.
	DryRun bool
	// NoBackup leaves out the backup; a journal is written all the same.
	NoBackup bool
	// BackupDir and Journal say where to put them; "" is beside the
	// database.
	BackupDir string
	Journal   string
	// Output is a new file that gets a repaired compacted copy; the source
	// is not touched.
	Output string
	// BatchBytes bounds one transaction; 0 is 16 MiB.
	BatchBytes int
	// Progress, if set, is told how far a phase is, in bytes.
	Progress func(phase string, done, total int64)
}

// Scan judges every history of a database and writes nothing. Events go to
// emit in key order, from one goroutine; the summary, which is also returned,
// is the last.
func Scan(ctx context.Context, path string, opts Options, emit func(Event)) Summary {
	panic("migrate: not yet")
}

// Repair judges every history of a database and writes the fixes back.
func Repair(ctx context.Context, path string, opts Options, emit func(Event)) Summary {
	panic("migrate: not yet")
}

// Undo puts back what a journal recorded. db is the database's path, "" for
// the one that the journal names.
func Undo(ctx context.Context, journal, db string, opts Options, emit func(Event)) Summary {
	panic("migrate: not yet")
}

// Inspect reports what lies where: an event a bucket, never a value.
func Inspect(ctx context.Context, path string, opts Options, emit func(Event)) Summary {
	panic("migrate: not yet")
}

// Show emits the messages of one history, each with its findings; with diff
// also what a repair would make of them. It is the one report that holds
// stored values.
func Show(ctx context.Context, path, ref string, diff bool, opts Options, emit func(Event)) Summary {
	panic("migrate: not yet")
}

// Filter repairs a history that is no database's: src is a bare array or an
// object that holds one or more. It returns the repaired text and a report of
// each history.
func Filter(src []byte, opts Options) ([]byte, []*History, error) { panic("migrate: not yet") }
