package oracle

// Reasons that several dialects share.
const (
	oneMessage   = "each result is a message of its own"
	noAborted    = "no turn is marked as never replayed"
	noServer     = "no result of the provider's stands apart from its call"
	noName       = "a result has no tool name"
	emptyIsUsual = "an empty list of calls is taken"
	noList       = "calls are no list of their own"
	anywhere     = "a rule of a set: a result may stand anywhere behind its call"
	noRoles      = "a rule of a set: roles are not judged"
	inPart       = "call and result are one part"

	idsAreUnique = "ids are unique here in any case: a second use is a duplicate-call-id"
	noTarget     = "no provider is judged by it: an app makes other messages of these"
	noBlocks     = "the content of a message is a text and no list"
	sdkLeavesOut = "the SDK leaves out texts without text"
	noReasoning  = "its provider does not want reasoning back, or an app makes other messages of it"
	noSignature  = "calls and reasoning are not signed here"
	noHosted     = "the provider runs no tools of its own here"
	ofAValue     = "a value that is broken holds no history"
)

// Impossible tells, for each dialect, the finding codes that no history in it
// can have, and why. For every other code there is a case in testdata/repair.
var Impossible = map[string]map[string]string{
	"openai-chat": {
		"split-results":          oneMessage,
		"result-not-first":       oneMessage,
		"aborted-result":         noAborted,
		"server-orphan":          noServer,
		"missing-signature":      noSignature,
		"server-tool-unanswered": noHosted,
		"broken-json":            ofAValue,
	},
	"anthropic": {
		"aborted-result":  noAborted,
		"blank-tool-name": "a tool_result names no tool",
		"empty-calls":     noList,
		"id-not-unique":   idsAreUnique,
		"broken-json":     ofAValue,
	},
	"pi": {
		"split-results":          oneMessage,
		"result-not-first":       oneMessage,
		"server-orphan":          noServer,
		"empty-calls":            noList,
		"target-role":            noTarget,
		"missing-reasoning":      noReasoning,
		"missing-signature":      "unsigned thinking is sent as text",
		"role-order":             noTarget,
		"server-tool-unanswered": noHosted,
		"broken-json":            ofAValue,
	},
	"openai-responses": {
		"interleaved-message":    anywhere,
		"displaced-result":       anywhere,
		"split-results":          anywhere,
		"result-not-first":       oneMessage,
		"out-of-order-result":    anywhere,
		"aborted-result":         noAborted,
		"wrong-role-call":        "an item has a type in place of a role",
		"server-orphan":          "hosted items carry their own results, and the output of a hosted search needs no call",
		"blank-tool-name":        noName,
		"empty-calls":            noList,
		"id-not-unique":          idsAreUnique,
		"missing-signature":      "reasoning is encrypted and not signed",
		"role-order":             noRoles,
		"server-tool-unanswered": "hosted items carry their own results",
		"broken-json":            ofAValue,
	},
	"gemini": {
		"aborted-result":         noAborted,
		"server-orphan":          "the result of executed code has no id and is let be",
		"empty-calls":            noList,
		"missing-reasoning":      "reasoning comes back by its signature",
		"server-tool-unanswered": noHosted,
		"broken-json":            ofAValue,
	},
	"adk": {
		"interleaved-message":    anywhere,
		"displaced-result":       anywhere,
		"split-results":          anywhere,
		"result-not-first":       anywhere,
		"out-of-order-result":    anywhere,
		"duplicate-result":       "a call has one response or more: interim ones and the final one",
		"aborted-result":         noAborted,
		"wrong-role-call":        noRoles,
		"server-orphan":          noServer,
		"empty-calls":            noList,
		"target-role":            noTarget,
		"missing-reasoning":      "reasoning comes back by its signature",
		"role-order":             noRoles,
		"server-tool-unanswered": noHosted,
		"broken-json":            ofAValue,
	},
	"bedrock-converse": {
		"aborted-result":         noAborted,
		"server-orphan":          noServer,
		"blank-tool-name":        noName,
		"empty-calls":            noList,
		"id-not-unique":          idsAreUnique,
		"missing-reasoning":      noReasoning,
		"missing-signature":      "whether reasoning is signed depends on the model",
		"server-tool-unanswered": noHosted,
		"broken-json":            ofAValue,
	},
	"ollama": {
		"split-results":          oneMessage,
		"result-not-first":       oneMessage,
		"aborted-result":         noAborted,
		"server-orphan":          noServer,
		"empty-calls":            emptyIsUsual,
		"target-role":            noTarget,
		"empty-content":          noBlocks,
		"missing-reasoning":      noReasoning,
		"missing-signature":      noSignature,
		"role-order":             "the server takes any order",
		"server-tool-unanswered": noHosted,
		"broken-json":            ofAValue,
	},
	"ai-sdk-model": {
		"split-results":     "the SDK joins the tool messages behind a turn",
		"result-not-first":  "a tool message may hold answers to approvals before its results",
		"aborted-result":    noAborted,
		"empty-calls":       noList,
		"target-role":       noTarget,
		"empty-content":     sdkLeavesOut,
		"missing-reasoning": noReasoning,
		"missing-signature": noSignature,
		"role-order":        noTarget,
		"broken-json":       ofAValue,
	},
	"ai-sdk-ui": {
		"interleaved-message": inPart,
		"displaced-result":    inPart,
		"early-result":        inPart,
		"split-results":       inPart,
		"result-not-first":    inPart,
		"out-of-order-result": inPart,
		"duplicate-result":    inPart,
		"orphan-result":       inPart,
		"aborted-result":      noAborted,
		"ambiguous-result":    inPart,
		"empty-result-id":     inPart,
		"wrong-role-call":     "the SDK leaves out the tool parts of other roles",
		"server-orphan":       inPart,
		"blank-tool-name":     noName,
		"empty-calls":         emptyIsUsual,
		"target-role":         noTarget,
		"empty-content":       sdkLeavesOut,
		"missing-reasoning":   noReasoning,
		"missing-signature":   noSignature,
		"role-order":          noTarget,
		"broken-json":         ofAValue,
	},
	"langchain": {
		"split-results":          oneMessage,
		"result-not-first":       oneMessage,
		"aborted-result":         noAborted,
		"server-orphan":          noServer,
		"empty-calls":            emptyIsUsual,
		"target-role":            noTarget,
		"missing-reasoning":      noReasoning,
		"missing-signature":      noSignature,
		"role-order":             noTarget,
		"server-tool-unanswered": noHosted,
		"broken-json":            ofAValue,
	},
	"grouped": {
		"result-not-first":       "results are a list of their own, beside the text",
		"aborted-result":         noAborted,
		"server-orphan":          noServer,
		"blank-tool-name":        noName,
		"empty-calls":            emptyIsUsual,
		"target-role":            noTarget,
		"empty-content":          noBlocks,
		"missing-reasoning":      noReasoning,
		"missing-signature":      noSignature,
		"role-order":             noTarget,
		"server-tool-unanswered": noHosted,
		"broken-json":            ofAValue,
	},
}
