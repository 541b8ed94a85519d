package migrate

import (
	"bytes"
	"strings"
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
	// Dialects are those that are looked at; none are all.
	Dialects []repair.Dialect
	// All reports sound histories too; Strict makes lint count for the exit
	// code.
	All    bool
	Strict bool
	// Workers is how many values are judged at once; 0 is one per CPU.
	Workers int
	// ShiftRows renumbers rows where a new one finds no free key, or where the
	// app's next key depends on their number.
	ShiftRows bool
	// Layouts fix how the values of some buckets are stored; see ReadLayout.
	Layouts []BucketLayout
	// MaxValue bounds the bytes that one stored value is decompressed to; 0 is
	// [DefaultMaxValue].
	MaxValue int64
	// Live scans a database while its app writes to it, without a lock.
	Live bool
	// LockWait is how long to wait for a lock that another process holds, and
	// of a live database for a moment in which a page is not written to.
	LockWait time.Duration

	// DryRun does all that a repair does but for writing.
	DryRun bool
	// NoBackup leaves out the backup; a journal is written all the same.
	NoBackup bool
	// BackupDir and Journal say where to put them; "" is beside the
	// database.
	BackupDir string
	Journal   string
	// SavePlan is a new file that gets the plan of a dry run, Plan one whose
	// plan a repair follows: it writes what stands in it and nothing else.
	SavePlan string
	Plan     string
	// Force restores a backup though others have written since it was made.
	Force bool
	// Output is a new file that gets a repaired compacted copy; the source
	// is not touched.
	Output string
	// BatchBytes bounds the new bytes of one transaction; 0 is from 1 to
	// 4 MiB, by how much there is to write: more would be no faster and take
	// more memory.
	BatchBytes int
	// Progress, if set, is told how far a phase is, in bytes.
	Progress func(phase string, done, total int64)
}

// batchBytes is what bounds a transaction that is one of those which write so
// many new bytes. A transaction holds about four times its new bytes in memory,
// since bbolt writes whole pages, and costs three syncs.
func (o *Options) batchBytes(total int64) int {
	if o.BatchBytes > 0 {
		return o.BatchBytes
	}
	return int(min(max(total/16, 1<<20), 4<<20))
}

// header is the options of a run for its journal.
func (o *Options) header() map[string]string {
	h := map[string]string{"on_missing": string(o.Repair.OnMissing), "marker": o.Repair.Marker}
	if h["on_missing"] == "" {
		h["on_missing"] = string(repair.Answer)
	}
	if h["marker"] == "" {
		h["marker"] = repair.DefaultMarker
	}
	if o.Repair.KeepTail {
		h["keep_tail"] = "true"
	}
	if o.Repair.KeepOrder {
		h["keep_order"] = "true"
	}
	if o.ShiftRows {
		h["rows"] = "shift"
	}
	if len(o.Layouts) > 0 {
		var b bytes.Buffer
		if err := WriteLayout(&b, o.Layouts); err == nil { // into memory
			h["layout"] = digestOf(b.Bytes()).String()
		}
	}
	if o.Repair.Target != "" {
		h["target"] = string(o.Repair.Target)
	}
	if len(o.Repair.Fix) > 0 {
		codes := make([]string, len(o.Repair.Fix))
		for i, code := range o.Repair.Fix {
			codes[i] = string(code)
		}
		h["fix"] = strings.Join(codes, " ")
	}
	return h
}
