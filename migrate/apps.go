package migrate

import "boltmend/store"

// Some apps can be told by their buckets, and have ways of their own. What is
// known of them helps whoever repairs their files; nothing else hangs on it.

// A knownApp is a program that keeps its conversations in bbolt.
type knownApp struct {
	name    string
	buckets []string // top-level, encoded: all have to be there
	advice  string
}

// apps are those that are known, as of 2026-11-30.
var apps = []knownApp{
	{"ajean", []string{"chat", "config", "state"},
		"it keeps the open conversation in memory and writes it back: stop the service before a repair"},
	{"kodelet", []string{"conversations", "summaries", "search_index"},
		"it rewrites a conversation from memory while it runs: end its sessions before a repair"},
	{"Reasonix", []string{"checkpoints", "meta", "operations"},
		"this is a cache that it builds from a log beside it: repair or delete the log's session, the cache follows"},
	{"gormes", []string{"api_response_conversations_v1", "api_responses_v1"},
		"each response holds a copy of what came before, so that one fault shows up many times"},
	{"kubebolt", []string{"copilot_conversations"},
		"it deletes conversations by their time of change, which a repair leaves as it is"},
	{"squidbot", []string{"sessions", "tool_events", "turns"},
		"it reads turns by their time, not by their key: a repair keeps both in step"},
	{"parakeet", []string{"messages-bucket", "messages-order-bucket"},
		"its order restarts when it does, and may lose rows: what it does not list is not repaired"},
	{"bujicoder", []string{"conversations", "messages", "metadata"},
		"it finds the next key by counting, and keeps a search index beside the file: rebuild that after a repair"},
}

// advise says what is known of the app whose buckets these are.
func (r *run) advise() {
	for _, a := range apps {
		if r.hasAll(a.buckets) {
			r.emit(&Note{Type: "note", Database: r.database, Kind: "advice", Reason: "looks like " + a.name + ": " + a.advice})
			return
		}
	}
}

func (r *run) hasAll(names []string) bool {
	for _, n := range names {
		if !r.top[n] {
			return false
		}
	}
	return true
}

// maxTop bounds the names that are kept of the top level.
const maxTop = 1000

// sawTop notes a bucket of the top level.
func (r *run) sawTop(b *store.Bucket) {
	if b.Depth == 1 && len(r.top) < maxTop {
		r.top[b.Encoded] = true
	}
}
