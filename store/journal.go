package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"
)

// The journal is a text file of JSON objects, a line each. Every line begins
// with its number "n", counted from 0, and its "type", and ends with "crc",
// eight hex digits: the CRC-32C of the line up to but not including the comma
// before "crc". Reading stops at the first line that does not check out, or
// has not the number that is due: such a line was being written when the
// process or the power went, and what it belongs to was not committed.
//
//	header    format, version, database (absolute path), dev, inode, page_size,
//	          txid, meta0, meta1 (the metas it found, hex), time, backup,
//	          options; raw_database and raw_backup, base64, where these are no
//	          UTF-8
//	record    ref; what follows belongs to it
//	row       bucket (path), key, both percent-encoded; old and new: size and
//	          sha256 of the value before and after, left out if there is none;
//	          data: the first MiB of the old value, base64
//	more      data: the next MiB of the value that the line before began
//	sequence  bucket, from, to: the bucket's sequence before and after
//	removed   kind, code, id, message; text: what was taken out, or size and
//	          data (and more) if it is long or no UTF-8
//	batch     batch (counted from 1), txid, records: closes a batch
//	end       batches, records, cut: closes a journal that was not cut off
//
// The lines of a batch, its batch line too, are on disk before the transaction
// of that id commits. So each batch but the last one is in the database, and
// the last one is if the database says so.
const (
	journalFormat  = "boltmend-journal"
	journalVersion = 1

	typeHeader   = "header"
	typeRecord   = "record"
	typeRow      = "row"
	typeMore     = "more"
	typeSequence = "sequence"
	typeRemoved  = "removed"
	typeBatch    = "batch"
	typeEnd      = "end"

	// chunk is how much of a value one line holds at most.
	chunk = 1 << 20
	// maxText is how long a removed text may be to stand as text.
	maxText = 64 << 10
	// maxLine bounds a line, so that reading needs no more than that. A name
	// may take 96 KiB; a path of names that takes more than this is refused.
	maxLine = 8 << 20
)

// A JournalHeader says what a journal belongs to.
type JournalHeader struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Database string `json:"database"`
	Dev      uint64 `json:"dev"`
	Inode    uint64 `json:"inode"`
	PageSize int    `json:"page_size"`
	TxID     uint64 `json:"txid"`
	Meta0    string `json:"meta0"`
	Meta1    string `json:"meta1"`
	// Time is when it began, in UTC and of fixed width: what the journals of
	// a database are put in order by.
	Time    string            `json:"time,omitempty"`
	Backup  string            `json:"backup,omitempty"`
	Options map[string]string `json:"options,omitempty"`
	// Paths that are no UTF-8, which JSON cannot hold, as bytes.
	RawDatabase []byte `json:"raw_database,omitempty"`
	RawBackup   []byte `json:"raw_backup,omitempty"`
}

// headerOf is the header of a journal that begins at this state.
func headerOf(id Identity, backup string, options map[string]string) JournalHeader {
	h := JournalHeader{
		Format: journalFormat, Version: journalVersion,
		Database: id.Path, Dev: id.Dev, Inode: id.Ino,
		PageSize: id.PageSize, TxID: id.TxID,
		Meta0: hex.EncodeToString(id.Meta[0][:]), Meta1: hex.EncodeToString(id.Meta[1][:]),
		Backup: backup, Options: options,
	}
	if !utf8.ValidString(id.Path) {
		h.RawDatabase = []byte(id.Path)
	}
	if !utf8.ValidString(backup) {
		h.RawBackup = []byte(backup)
	}
	return h
}

// readHeader is the inverse of writing a header as JSON.
func readHeader(body []byte, h *JournalHeader) error {
	err := json.Unmarshal(body, h)
	if len(h.RawDatabase) > 0 {
		h.Database = string(h.RawDatabase)
	}
	if len(h.RawBackup) > 0 {
		h.Backup = string(h.RawBackup)
	}
	return err
}

// sameState tells that the database is as it was when the journal began.
func (h *JournalHeader) sameState(id Identity) bool {
	now := headerOf(id, "", nil)
	return h.Meta0 == now.Meta0 && h.Meta1 == now.Meta1
}

// A Digest is what a journal knows of a value: enough to tell it again.
type Digest struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

func digestOf(value []byte) *Digest {
	sum := sha256.Sum256(value)
	return &Digest{Size: int64(len(value)), SHA256: hex.EncodeToString(sum[:])}
}

// is tells whether value is the one that d was made of.
func (d *Digest) is(value []byte) bool {
	return d.Size == int64(len(value)) && *d == *digestOf(value)
}

// The bodies of the lines, but for n, type and crc.
type (
	recordLine struct {
		Ref string `json:"ref"`
	}
	rowLine struct {
		Bucket string  `json:"bucket"`
		Key    string  `json:"key"`
		Old    *Digest `json:"old,omitempty"`
		New    *Digest `json:"new,omitempty"`
	}
	sequenceLine struct {
		Bucket string `json:"bucket"`
		From   uint64 `json:"from"`
		To     uint64 `json:"to"`
	}
	removedLine struct {
		Kind    string `json:"kind"`
		Code    string `json:"code"`
		ID      string `json:"id,omitempty"`
		Message int    `json:"message"`
		Text    string `json:"text,omitempty"`
		Size    int64  `json:"size,omitempty"`
	}
	batchLine struct {
		Batch   int    `json:"batch"`
		TxID    uint64 `json:"txid"`
		Records int    `json:"records"`
	}
	endLine struct {
		Batches int  `json:"batches"`
		Records int  `json:"records"`
		Cut     bool `json:"cut"`
	}
)

// journalBytes is about what the journal of so much will take.
func journalBytes(oldBytes int64, records int) int64 {
	return oldBytes/3*4 + int64(records)*1024 + 4096
}
