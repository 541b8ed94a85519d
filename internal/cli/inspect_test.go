package cli

import (
	"testing"

	"boltmend/migrate"
)

func TestInspect(t *testing.T) {
	events := []migrate.Event{
		&migrate.Bucket{Database: "chat.db", Ref: "chat", Keys: 1200, Bytes: 1, Codec: "json", Layout: "document",
			Dialects: []string{"openai-chat", "pi"}, Histories: 2, Unreadable: 1, Unrecognised: 1, Evidence: "2 of 2 values hold an array of messages"},
		&migrate.Bucket{Database: "chat.db", Ref: "users", Buckets: 3, Reason: "no messages"},
		&migrate.Note{Database: "chat.db", Ref: "chat/x", Kind: "unrecognised", Reason: "flat calls"},
		&migrate.Summary{Database: "chat.db", Verdict: migrate.VerdictSound, Histories: 2, Unrecognised: 1},
	}
	out, _, _ := runFake(t, events, "inspect", "chat.db", "other.db")
	one := `chat.db
  chat: 1,200 values, 1 byte, json, document, openai-chat and pi, 2 conversations, 1 unrecognised, 1 unreadable
    because 2 of 2 values hold an array of messages
  users: 0 values, 3 buckets inside
    nothing here: no messages
  chat/x: unrecognised: flat calls
  in all 2 conversations
  1 value with calls that could not be understood
`
	wantText(t, "inspect", out, one+"\n"+one)
}
