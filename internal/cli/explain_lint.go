package cli

import "boltmend/repair"

// explainedLint is explained for what is no fault of pairing: what a target
// refuses, and lint.
var explainedLint = map[repair.Code]explanation{
	repair.IDCharset: {
		What: "The id of a call has characters that the provider of --target refuses, usually since another provider made the id.",
		Errors: []string{
			"tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
			"Tool call id was X but must be a-z, A-Z, 0-9, with a length of 9",
		},
		Repair:  "Under --target: gives the call another id, its results with it. Two ids stay two, and the same history always gets the same ids. The journal keeps the old id.",
		Options: "--target anthropic", Dialect: "anthropic",
		Before: history(toolUses("functions.ls:0"), blocks(toolResult("functions.ls:0"))),
		After:  history(toolUses("functions_ls_0"), blocks(toolResult("functions_ls_0"))),
	},
	repair.IDLength: {
		What: "The id of a call is longer than the provider of --target takes; for Mistral, it has not just nine characters.",
		Errors: []string{
			"Invalid 'input[n].call_id': string too long. Expected a string with maximum length 64",
			"Invalid 'messages[n].tool_calls[m].id': string too long",
			"Tool call id was X but must be a-z, A-Z, 0-9, with a length of 9",
		},
		Repair:  "Under --target: gives the call an id made of the beginning of the old one and a hash of all of it, or for Mistral of a hash alone; its results follow. The journal keeps the old id.",
		Options: "--target mistral", Dialect: "openai-chat",
		Before: history(calls("calla"), tool("calla", "done"), says("Done.")),
		After:  history(calls("k8fo68lG9"), tool("k8fo68lG9", "done"), says("Done.")),
	},
	repair.IDNotUnique: {
		What:    "Two calls of different turns have one id, and the provider of --target wants ids to be unique in a request.",
		Errors:  []string{"`tool_use` ids must be unique", "duplicate Ids"},
		Repair:  "Under --target: renames the later call and its result to <id>_2, or the first number that is free.",
		Options: "--target anthropic", Dialect: "openai-chat",
		Before: history(calls("call_0"), tool("call_0", "one"), user("again"), calls("call_0"), tool("call_0", "two")),
		After:  history(calls("call_0"), tool("call_0", "one"), user("again"), calls("call_0_2"), tool("call_0_2", "two")),
	},
	repair.TargetRole: {
		What: "A message has a role that the provider of --target does not know, or stands where that provider refuses its role.",
		Errors: []string{
			"messages: Unexpected role \"system\"",
			"Please use a valid role: user, model",
			"A conversation must start with a user message",
			"roles must alternate between \"user\" and \"assistant\"",
		},
		Repair:  "Is only reported: to join, cut off or add messages is for the app, when it sends them.",
		Options: "--target anthropic", Dialect: "anthropic",
		Before: history(`{"role":"system","content":"Be brief."}`, user("list files"), toolUses("toolu_a"), blocks(toolResult("toolu_a"))),
		After:  history(`{"role":"system","content":"Be brief."}`, user("list files"), toolUses("toolu_a"), blocks(toolResult("toolu_a"))),
	},
	repair.EmptyContent: {
		What: "A block of text has no text in it, for some providers also nothing but space; or a result says nothing where the provider wants it to.",
		Errors: []string{
			"messages: text content blocks must be non-empty",
			"text content blocks must contain non-whitespace text",
			"The content field in the toolResult cannot be empty when status value is error",
		},
		Repair:  "With --fix empty-content: takes the empty block out; a result that says nothing says (no output).",
		Options: "--fix empty-content", Dialect: "anthropic",
		Before: history(`{"role":"assistant","content":[`+textBlock("")+`,`+toolUse("toolu_a")+`]}`, blocks(toolResult("toolu_a"))),
		After:  history(toolUses("toolu_a"), blocks(toolResult("toolu_a"))),
	},
	repair.EmptyMessage: {
		What: "A message has no text, no call and nothing else that could be sent: the answer was stopped before it began.",
		Errors: []string{
			"messages.N: all messages must have non-empty content",
			"must include at least one parts field",
			"The content field in the Message object at messages.N is empty",
			"assistant message must not be empty",
		},
		Repair:  "With --fix empty-message: takes the message out; the journal keeps it. It stays where roles would come to stand in an order that the provider refuses, directly behind an item of reasoning, and where other messages name it as their parent.",
		Options: "--fix empty-message", Dialect: "openai-chat",
		Before: history(user("hello"), says(""), user("hello?")),
		After:  history(user("hello"), user("hello?")),
	},
	repair.ToolName: {
		What: "The tool of a call has no name, or one with characters that the provider refuses: often markup that the model wrote into the name.",
		Errors: []string{
			"Invalid 'input[n].name': empty string",
			"Invalid 'messages[n].tool_calls[m].function.name': string does not match pattern",
			"tool_use.name: String should match pattern",
			"toolUse.name failed to satisfy constraint: Member must satisfy regular expression pattern",
		},
		Repair:  "With --fix tool-name: cuts the name off where the markup begins, and writes _ for marks that only other providers take; a name that is not there is taken from beside the call or from its result. Names of which nothing is left, that have foreign letters, or that would become another tool's stay, and so do those of signed turns.",
		Options: "--fix tool-name", Dialect: "openai-chat",
		Before: history(callsOf(`ls\" path=\"a`, "call_a"), tool("call_a", "unknown tool")),
		After:  history(callsOf("ls", "call_a"), tool("call_a", "unknown tool")),
	},
	repair.MissingReasoning: {
		What: "A turn comes without the reasoning that the provider wants back with it: it was not stored, its text was blanked, nothing stands behind it, or only the provider's memory has it. Reported where the history shows that its provider wants it, or under --target.",
		Errors: []string{
			"The `reasoning_content` in the thinking mode must be passed back to the API",
			"Missing `reasoning_content` field in the assistant message at message index N",
			"was provided without its required following item",
			"Item with id 'rs_...' not found",
			"thinking blocks in the latest assistant message cannot be modified",
		},
		Repair:  "Is only reported: reasoning cannot be made up. A model that does not ask for it takes the history.",
		Options: "--target deepseek", Dialect: "openai-chat",
		Before: history(calls("call_a"), tool("call_a", "done")),
		After:  history(calls("call_a"), tool("call_a", "done")),
	},
	repair.MissingSignature: {
		What: "A turn comes without the signature by which the provider knows its own reasoning again.",
		Errors: []string{
			"Function call is missing a thought_signature in functionCall parts",
			"thinking.signature: Field required",
			"Invalid `signature` in `thinking` block",
		},
		Repair:  "Is only reported: a signature cannot be made up. For Gemini only calls count that the user has not spoken behind.",
		Dialect: "anthropic",
		Before:  history(`{"role":"assistant","content":[{"type":"thinking","thinking":"Files."},`+toolUse("toolu_a")+`]}`, blocks(toolResult("toolu_a"))),
		After:   history(`{"role":"assistant","content":[{"type":"thinking","thinking":"Files."},`+toolUse("toolu_a")+`]}`, blocks(toolResult("toolu_a"))),
	},
	repair.RoleOrder: {
		What: "A message stands behind one that it may not follow, for its provider, or for some models and templates of the provider of --target.",
		Errors: []string{
			"Please ensure that function call turn comes immediately after a user turn or after a function response turn",
			"Unexpected role 'user' after role 'tool'",
			"Conversation roles must alternate user/assistant/user/assistant/...",
			"System message must be at the beginning",
			"Conversation blocks and tool result blocks cannot be provided in the same turn",
		},
		Repair:  "Is only reported: to join, cut off or add messages is for the app, when it sends them.",
		Options: "--target llamacpp", Dialect: "openai-chat",
		Before: history(user("hello"), user("hello?")),
		After:  history(user("hello"), user("hello?")),
	},
	repair.ServerToolUnanswered: {
		What:    "A tool that the provider runs itself was called, its result is not in the same message, and the conversation went on.",
		Errors:  []string{"`web_search` tool use with id `srvtoolu_...` was found without a corresponding `web_search_tool_result` block"},
		Repair:  "Is only reported: the call and its result are the provider's own.",
		Dialect: "anthropic",
		Before: history(user("search"), `{"role":"assistant","content":[`+textBlock("Searching.")+
			`,{"type":"server_tool_use","id":"srvtoolu_a","name":"web_search","input":{}}]}`, user("well?")),
		After: history(user("search"), `{"role":"assistant","content":[`+textBlock("Searching.")+
			`,{"type":"server_tool_use","id":"srvtoolu_a","name":"web_search","input":{}}]}`, user("well?")),
	},
	repair.LoneSurrogate: {
		What:    "A text was cut in the middle of a character and ends in an escape for half of one.",
		Errors:  []string{"The request body is not valid JSON: no low surrogate in string"},
		Repair:  "With --fix lone-surrogate: puts U+FFFD in the place of the half, as decoders do. Ids, and turns that are signed, stay.",
		Options: "--fix lone-surrogate", Dialect: "openai-chat",
		Before: history(calls("call_a"), `{"role":"tool","tool_call_id":"call_a","content":"cut here \ud83d"}`),
		After:  history(calls("call_a"), `{"role":"tool","tool_call_id":"call_a","content":"cut here \ufffd"}`),
	},
	repair.BrokenJSON: {
		What:   "In a bucket of conversations a value begins as JSON and is none: it was cut off when it was written. The example shows it as a text.",
		Repair: "Is only reported: what is missing cannot be known. Other values go on.",
		Before: history(`"[{\"role\":\"user\",\"content\":\"hel"`),
		After:  history(`"[{\"role\":\"user\",\"content\":\"hel"`),
	},
}

// callsOf is an assistant message of openai-chat that calls a tool of a name.
func callsOf(name, id string) string {
	return `{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":"{}"}}]}`
}
