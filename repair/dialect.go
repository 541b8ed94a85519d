package repair

import "boltmend/internal/jsonedit"

// A dialect reads a history into a thread and writes what the planner made of
// it. Adding one is a file with these methods and a line in the table below.
type dialect interface {
	// rules are what the planner has to know.
	rules() rules
	// vote says what an element of a history proves.
	vote(rd *reader, s *source) evidence
	// read adds the calls and the results of a message to the thread.
	read(rd *reader, s *source, m *message)
	// spelling is how the dialect spells what the writer has to write.
	spelling() spelling
	// made is the text of a made-up result for a call: a message, or a block
	// where results are blocks.
	made(w *writer, c int32) []byte
}

// table is every dialect in the order in which ties between votes are
// decided, with the traits of elements that can vote for it.
var table = []struct {
	name Dialect
	dialect
	traits traits
}{
	{Ollama, ollama{}, hasCalls | isTool},
	{OpenAIChat, openAIChat{}, hasCalls | isTool},
	{Anthropic, anthropic{}, hasBlocks},
	{Pi, pi{}, hasBlocks | isTool},
	{OpenAIResponses, openAIResponses{}, isItem},
	{Gemini, gemini{}, hasParts},
	{ADK, adk{}, hasParts},
	{BedrockConverse, bedrockConverse{}, hasBlocks},
	{AISDKModel, aiSDKModel{}, hasBlocks},
	{AISDKUI, aiSDKUI{}, hasParts | hasInvocations},
	{LangChain, langChain{}, hasCalls | isTool},
	{Grouped, grouped{}, hasCalls | hasResults},
}

// Dialects returns every dialect.
func Dialects() []Dialect {
	all := make([]Dialect, len(table))
	for i, t := range table {
		all[i] = t.name
	}
	return all
}

// lookup finds a dialect by name.
func lookup(name Dialect) (dialect, error) {
	for _, t := range table {
		if t.name == name {
			return t.dialect, nil
		}
	}
	return nil, ErrUnknownDialect
}

// evidence is what speaks for a dialect. A proof is a spelling that no other
// format has; a claim may be some other format that looks alike, and counts
// only beside a result.
type evidence struct{ proofs, claims, results int }

func (e evidence) add(o evidence) evidence {
	return evidence{e.proofs + o.proofs, e.claims + o.claims, e.results + o.results}
}

func (e evidence) votes() int { return e.proofs + e.claims + e.results }

// A Detection is what an array looks like.
type Detection struct {
	// Dialect is the dialect with the most votes, "" if nothing votes.
	Dialect Dialect
	// Proven: the array holds calls that prove themselves, or a result.
	// Calls that are not proven count only if some other history beside
	// them holds a result of the dialect.
	Proven bool
	// Results: the array holds a result of the dialect.
	Results bool
	// Mixed: the array holds proven calls of more than one dialect.
	Mixed bool
	// Messages counts the elements that have a role and say something.
	Messages int
}

// detect votes on the dialect of the elements that were opened.
func (rd *reader) detect() Detection {
	var best Detection
	for i := range rd.sources {
		if s := &rd.sources[i]; s.family&^itemFamily != 0 && s.says() {
			best.Messages++
		}
	}
	if calls, results := rd.plainHistory(); calls {
		best.Dialect, best.Proven, best.Results = OpenAIChat, true, results
		return best
	}
	var evidences [16]evidence
	for i := range rd.sources {
		if s := &rd.sources[i]; s.traits != 0 {
			rd.voteAll(s, &evidences)
		}
	}
	most, proven := 0, 0
	for i, t := range table {
		e := evidences[i]
		if e.proofs > 0 {
			proven++
		}
		if e.votes() > most {
			most = e.votes()
			best.Dialect, best.Proven, best.Results = t.name, e.proofs+e.results > 0, e.results > 0
		}
	}
	best.Mixed = proven > 1
	if best.Dialect == "" && rd.resultsAlone() {
		best.Dialect = OpenAIChat
	}
	if !best.Proven && (best.Dialect == OpenAIChat || best.Dialect == Ollama) {
		best.Proven = rd.namesResults()
	}
	return best
}

// resultsAlone reports whether a chat without a call has a result that names
// none: a text whose role is that of a result. It may as well be a note of the
// app, so it is a claim and no more.
func (rd *reader) resultsAlone() bool {
	alone, spoken := false, false
	for i := range rd.sources {
		s := &rd.sources[i]
		switch {
		case s.family != roleFamily || rd.isTrue(s.members[mLocalOnly]):
		case s.role == userRole || s.role == assistantRole:
			spoken = true
		case s.role == toolRole || s.role == functionRole:
			alone = alone || s.traits&(hasParts|hasResults) == 0 && rd.isTextual(s.members[mContent])
		}
	}
	return alone && spoken
}

// isTextual reports whether content is a text, or blocks of nothing but text.
func (rd *reader) isTextual(content jsonedit.Ref) bool {
	blocks, isList := rd.array(content)
	if !isList {
		return rd.doc.Kind(content) == jsonedit.String
	}
	for b := range rd.doc.Elems(blocks) {
		if rd.block.collect(rd.doc, b); !rd.is(rd.block[mType], "text") {
			return false
		}
	}
	return rd.doc.End(blocks) > blocks+1
}

// namesResults reports whether messages have a member for the call that they
// answer, if only an empty one: a Go struct without omitempty shows so that the
// app stores results as messages.
func (rd *reader) namesResults() bool {
	for i := range rd.sources {
		if rd.sources[i].members[mToolCallID] != jsonedit.None {
			return true
		}
	}
	return false
}

// voteAll asks the dialects that an element can vote for.
func (rd *reader) voteAll(s *source, evidences *[16]evidence) {
	for i := range table {
		t := &table[i]
		if t.traits&s.traits == 0 {
			continue
		}
		if rd.families[i] == 0 {
			rd.families[i] = t.rules().messages()
		}
		if rd.families[i]&s.family != 0 {
			evidences[i] = evidences[i].add(t.vote(rd, s))
		}
	}
}

// A spelling names the members that the writer writes, as the dialect's
// documentation spells them. A history that spells them otherwise is followed.
type spelling struct {
	callID   string // in a call
	resultID string // in a result
	role     string // of a message that holds results
	// Where results are blocks: the member of a message that holds them, and
	// whether a block of text says its type.
	parts     member
	partsName string
	typed     bool
}

// elements returns the elements of an array.
func elements(d *jsonedit.Doc, arr jsonedit.Ref, into []jsonedit.Ref) []jsonedit.Ref {
	for e, end := arr+1, d.End(arr); e < end; e = d.End(e) {
		into = append(into, e)
	}
	return into
}
