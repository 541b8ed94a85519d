// Package store reads and writes bbolt files without losing anything. It knows
// bytes, buckets, locks, backups and journals, and never looks into a value. It
// is the only importer of bbolt.
//
// # Reading
//
// [Open] takes an existing regular file and nothing else, through one
// descriptor, and the shared lock on it. Every page goes through the page check
// (package page) by pread before bbolt maps the file, because bbolt on a damaged
// file ends the process, never returns, or commits over live data. A [View] is
// a read transaction; [View.Walk] goes through all values.
//
// [Pages] does without bbolt: it reads page by page what can be read of a
// damaged file, or a file that its app writes to, without any lock.
//
// # Writing
//
//  1. Plan on a view, under the shared lock. Nothing to do: close. The file
//     keeps every byte and its times.
//  2. [DB.Begin] takes the exclusive lock on the same descriptor and compares
//     both metas with those planned on. If they moved, it checks the pages again
//     and [Writer.Moved] says to plan again. Then bbolt gets a duplicate of the
//     descriptor: nobody can write between the check and the open.
//  3. [Writer.CheckSpace] before anything is made.
//  4. [Writer.Backup] copies the whole file under the lock: made with O_EXCL
//     through no link, synced, compared byte for byte, then named without ever
//     replacing anything.
//  5. [Writer.Apply] changes records in batches. Of each batch the old values
//     and the id of the coming transaction are in the journal, on disk, before
//     the transaction commits. Each edit is a compare-and-swap inside it.
//  6. [Writer.View] and [Writer.Check] look at the result, then [Writer.Close]:
//     bbolt's own close lets go of the lock, which the descriptors share.
//
// Whatever kills the process leaves each record whole, as before or as after,
// and a second run finishes. A sync that fails is final, since nobody knows
// what is on disk after it: nothing is tried again.
//
// [Undo] reads the journal backwards and puts back what nobody has written
// since, with a journal of its own.
//
// [Restore] makes the whole file what a backup is, in place, if nobody but us
// has written since the backup was made.
//
// # What it does not do
//
// It makes no database, but for the private copy of [Compact]. It does not copy
// access lists or extended attributes. On Windows no lock can be handed over:
// bbolt takes its own, and the metas are compared after that; the file may grow
// to the size of bbolt's mapping.
package store
