package migrate

import (
	"bytes"
	"slices"
)

// A layout is how the rows of a bucket make up conversations.
type layout struct {
	kind string
	// form is that of the key, or of the part behind the separator. Where a
	// member names the conversation, a separator parts the key from what stands
	// in front of all keys.
	form keyForm
	sep  separator
	// named: what stands in front names the conversation: it is not the same in
	// all keys.
	named bool
	// ranked: the keys are in order, though their form is not known.
	ranked bool
	// wrap is the member that holds the message, "" for the value itself.
	wrap string
	// kindOf is the member that says which rows are messages, "" for all.
	kindOf string
	// conv is the member that names the conversation, "" if the bucket or the
	// key does; order the member that orders the rows, "" if the key does or
	// an index.
	conv, order string
	index       *index
	// constants are members that are the same in all rows of the bucket.
	constants []constant
	chosen    bool // by a layout file
	// reason says why nothing is written, "" if it may be; doubt what is not
	// known of how the rows make up conversations.
	reason, doubt string
}

// Kinds of layouts.
const (
	document      = "document"
	rows          = "rows"
	rowsComposite = "rows-composite"
	rowsField     = "rows-field"
	rowsIndexed   = "rows-indexed"
)

// place is the part of a key that orders the row.
func (l *layout) place(key []byte) []byte {
	if l.sep != (separator{}) {
		if _, place, ok := l.sep.split(key); ok {
			return place
		}
	}
	return key
}

// keyLike is a key of another place in the same conversation.
func (l *layout) keyLike(key, place []byte) []byte {
	old := l.place(key)
	return append(bytes.Clone(key[:len(key)-len(old)]), place...)
}

// byKey reports whether a row's place goes with its key, so that a row which
// gets another place gets another key.
func (l *layout) byKey() bool {
	return l.index == nil && (l.order == "" || l.form.ordered() && !l.counted())
}

// counted reports whether the rows have a number of their own beside keys that
// hold a time: the number alone says where a row stands.
func (l *layout) counted() bool {
	return l.form.timed() && slices.Contains(orderNames, fold([]byte(l.order)))
}

// Members by which apps name the conversation of a row, its place and its time,
// folded, the likeliest first.
var (
	conversationNames = []string{
		"conversationid", "sessionid", "threadid", "chatid", "convid", "dialogid", "channelid", "roomid",
		"topicid", "conversation", "session", "thread", "chat", "conv", "streamid", "stream", "sid", "cid",
		"chatsessionid", "conversationuuid", "sessionuuid", "threaduuid", "chatuuid", "contextid", "taskid", "runid",
		"conversationkey", "sessionkey", "threadkey",
	}
	orderNames = []string{
		"seq", "sequence", "seqno", "index", "idx", "position", "ordinal", "order", "messageindex", "turnindex",
	}
	timeNames = []string{"createdat", "timestamp", "created", "time", "ts", "at", "sentat", "date"}
)
