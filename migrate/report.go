package migrate

import "encoding/json"

// The report of a run is data: a stream of the events below, one Summary
// last. Text and JSON lines are two views of it. Fields are added, never
// renamed. No event holds a stored value; ids and names are redacted by the
// view unless content was asked for.

// Event is one line of a report.
type Event interface{ event() }

// States of a history.
const (
	Sound      = "sound"
	Fixable    = "fixable"
	Fixed      = "fixed"
	Left       = "left"
	ReportOnly = "report-only"
	Stale      = "stale"
)

// A History is the report of one history: of each with findings, or of each
// where Options.All asks for it.
type History struct {
	Type     string `json:"type"` // "history"
	Database string `json:"database"`
	Ref      string `json:"ref"`
	// Bucket is the bucket path, Key the key, both percent-encoded as in a
	// ref. Rows have a Conversation instead of a key.
	Bucket       []string `json:"bucket"`
	Key          string   `json:"key,omitempty"`
	Conversation string   `json:"conversation,omitempty"`
	// Path is the RFC 6901 pointer of the array inside the value.
	Path   string `json:"path"`
	Layout string `json:"layout"`
	// Codec is what the value is wrapped in, from the outside in: "zstd",
	// "string", "gzip+string"; "" for plain JSON.
	Codec    string    `json:"codec,omitempty"`
	Dialect  string    `json:"dialect"`
	Messages int       `json:"messages"`
	Calls    int       `json:"calls"`
	Results  int       `json:"results"`
	Findings []Finding `json:"findings"`
	State    string    `json:"state"`
	Reason   string    `json:"reason,omitempty"`
}

// A Finding is one thing wrong with a history, as package repair found it.
type Finding struct {
	Code    string `json:"code"`
	Group   string `json:"group"`
	Message int    `json:"message"`
	ID      string `json:"id"`
	Name    string `json:"name"`
	Fixed   bool   `json:"fixed"`
}

// A Change is one record with new bytes: ref, and the SHA-256 in hex of the
// old bytes and of the new.
type Change struct {
	Type     string `json:"type"` // "change"
	Database string `json:"database"`
	Ref      string `json:"ref"`
	Old      string `json:"old"`
	New      string `json:"new"`
}

// Verdicts of a summary.
const (
	VerdictSound           = "sound"
	VerdictPoisoned        = "poisoned"
	VerdictRepaired        = "repaired"
	VerdictPartly          = "partly"
	VerdictDamaged         = "damaged"
	VerdictNoConversations = "no-conversations"
	VerdictError           = "error"
)

// A Summary closes the report of one database, also after an error.
type Summary struct {
	Type     string `json:"type"` // "summary"
	Database string `json:"database"`
	Verdict  string `json:"verdict"`
	// Histories counts conversations, Poisoned those with a pairing or
	// arguments finding.
	Histories int `json:"histories"`
	Poisoned  int `json:"poisoned"`
	// Findings counts by code.
	Findings map[string]int `json:"findings"`
	// Fixed, Remaining and Lint count findings.
	Fixed     int `json:"fixed"`
	Remaining int `json:"remaining"`
	Lint      int `json:"lint"`
	// ReportOnly counts histories that are reported and never written;
	// Unrecognised values that mention calls and were not understood;
	// Unreadable values that could not be read.
	ReportOnly   int    `json:"report_only"`
	Unrecognised int    `json:"unrecognised"`
	Unreadable   int    `json:"unreadable"`
	Live         bool   `json:"live"`
	DryRun       bool   `json:"dry_run"`
	Backup       string `json:"backup"`
	Journal      string `json:"journal"`
	Exit         int    `json:"exit"`
	// Plan is the plan that a dry run saved.
	Plan string `json:"plan,omitempty"`
}

// Codes of an Error.
const (
	CodeNotDatabase = "not-database"
	CodeDamaged     = "damaged"
	CodeLocked      = "locked"
	CodeIO          = "io"
	CodeNoSpace     = "no-space"
	CodePermission  = "permission"
	CodeUsage       = "usage"
	CodeRefused     = "refused"
)

// An Error is why the work could not be done.
type Error struct {
	Type     string `json:"type"` // "error"
	Database string `json:"database"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	// Movable is store.Error's: what of it need not be on a full disk.
	Movable string `json:"-"`
}

// A Note is a line about one value that is counted and not judged: what could
// not be read, or mentions calls and was not recognised. A warning is a note
// without a ref.
type Note struct {
	Type     string `json:"type"` // "note"
	Database string `json:"database"`
	Ref      string `json:"ref"`
	// Kind is "unreadable", "unrecognised", "unlisted" (a row that the app does
	// not read), "advice" (what is known of the app) or "warning".
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
}

// A Page is one thing wrong with a page of the file. In a scan it says what
// could not be read.
type Page struct {
	Type     string `json:"type"` // "page"
	Database string `json:"database"`
	// Page is where it was found; of a run, the first page.
	Page uint64 `json:"page"`
	// Kind says what it is, Severity whether that is an "error", with which
	// nothing may be written, or an "oddity", which hurts nobody.
	Kind     string `json:"kind"`
	Severity string `json:"severity"`
	// Bucket is the path of the bucket concerned, one word as in a ref.
	// KeyFrom and KeyTo, percent-encoded too, bound the keys concerned: from
	// KeyFrom on, before KeyTo. Empty is without bound.
	Bucket  string `json:"bucket"`
	KeyFrom string `json:"key_from"`
	KeyTo   string `json:"key_to"`
	// Detail says in words what was found.
	Detail string `json:"detail"`
}

// A File is what a check says of a database as a whole.
type File struct {
	Type     string `json:"type"` // "file"
	Database string `json:"database"`
	PageSize int    `json:"page_size"`
	// Pages counts all pages up to the last that was ever used, Used those in
	// use, Free those that are known to be free.
	Pages uint64 `json:"pages"`
	Used  uint64 `json:"used"`
	Free  uint64 `json:"free"`
	// Meta is the meta page that counts, Transaction its transaction, Reason
	// why this one.
	Meta        int    `json:"meta"`
	Transaction uint64 `json:"transaction"`
	Reason      string `json:"reason"`
}

// An Undone is what became of one record of an undone journal: "restored",
// "done" (it already was as before) or "left" (the app wrote it since).
type Undone struct {
	Type     string `json:"type"` // "undo"
	Database string `json:"database"`
	Ref      string `json:"ref"`
	State    string `json:"state"`
}

// A Bucket is one bucket of the tree, for inspect.
type Bucket struct {
	Type     string `json:"type"` // "bucket"
	Database string `json:"database"`
	// Bucket is the path, percent-encoded.
	Bucket []string `json:"bucket"`
	Ref    string   `json:"ref"`
	// Keys counts values, Buckets nested buckets, Bytes the values' bytes.
	Keys    int   `json:"keys"`
	Buckets int   `json:"buckets"`
	Bytes   int64 `json:"bytes"`
	// Codec, Layout and Dialects say what the values are, several codecs with
	// a space between; Histories,
	// Unrecognised and Unreadable count them.
	Codec        string   `json:"codec"`
	Layout       string   `json:"layout"`
	Dialects     []string `json:"dialects"`
	Histories    int      `json:"histories"`
	Unrecognised int      `json:"unrecognised"`
	Unreadable   int      `json:"unreadable"`
	// Evidence says what the choice rests on, Reason why a bucket is left.
	Evidence string `json:"evidence"`
	Reason   string `json:"reason"`

	// How is the line of a layout file that says the same.
	How *BucketLayout `json:"how,omitempty"`

	json   int // values that are JSON
	rows   int // values that are a message each
	codecs []string
}

// A Why is one step of how a record is seen.
type Why struct {
	Type     string `json:"type"` // "why"
	Database string `json:"database"`
	Ref      string `json:"ref"`
	// Step is what was looked at: "layout file", "codec", "array", "row",
	// "layout", "calls" or "history"; Outcome says what was found.
	Step    string `json:"step"`
	Outcome string `json:"outcome"`
}

// A Message is one message of a shown history, with its stored text.
type Message struct {
	Type     string `json:"type"` // "message"
	Database string `json:"database"`
	Ref      string `json:"ref"`
	// Message is its index in the history as read, -1 for a message that a
	// repair would put in.
	Message int `json:"message"`
	// Op is " " for a message as it stands, "-" for one that a repair would
	// take out (or change, or move away), "+" for what it would put there.
	Op       string          `json:"op"`
	JSON     json.RawMessage `json:"json"`
	Findings []Finding       `json:"findings"`
}

func (*History) event() {}
func (*Message) event() {}
func (*Why) event()     {}
func (*Change) event()  {}
func (*Summary) event() {}
func (*Error) event()   {}
func (*Note) event()    {}
func (*Page) event()    {}
func (*File) event()    {}
func (*Undone) event()  {}
func (*Bucket) event()  {}
