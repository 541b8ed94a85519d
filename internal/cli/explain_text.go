package cli

import "boltmend/repair"

// explainedPairing says for every code of pairing and arguments what it is, in words and by an example that a
// test repairs. The errors are fragments as providers and servers print them
// (docs/dialects.md has the sources), so that a search for one ends here.
var explainedPairing = map[repair.Code]explanation{
	repair.MissingResult: {
		What: "A tool was called and no result was stored: the turn was stopped, the app was closed, or the tool never came back.",
		Errors: []string{
			"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
			"(insufficient tool messages following tool_calls message)",
			"`tool_use` ids were found without `tool_result` blocks immediately after",
			"No tool output found for function call",
			"Expected toolResult blocks at messages.N.content for the following Ids",
		},
		Repair:  "Puts in a result that holds the marker, in call order and flagged as an error where the dialect can. --on-missing drop-turn removes the turn instead.",
		Dialect: "openai-chat",
		Before:  history(calls("call_a"), user("go on")),
		After:   history(calls("call_a"), tool("call_a", "[interrompu]"), user("go on")),
	},
	repair.InterleavedMessage: {
		What: "A message that is no result, often an image or a notice, stands between a call and its result.",
		Errors: []string{
			"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
			"messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
		},
		Repair:  "Moves the message behind the results. Nothing is lost, and such messages keep their order.",
		Dialect: "openai-chat",
		Before:  history(calls("call_a", "call_b"), tool("call_a", "one"), user("an image"), tool("call_b", "two")),
		After:   history(calls("call_a", "call_b"), tool("call_a", "one"), tool("call_b", "two"), user("an image")),
	},
	repair.DisplacedResult: {
		What: "A result stands behind a later turn of the assistant, or in a message whose role cannot hold it.",
		Errors: []string{
			"messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
			"unexpected `tool_use_id` found in `tool_result` blocks",
		},
		Repair:  "Moves the result to the one call that it can belong to.",
		Dialect: "openai-chat",
		Before:  history(calls("call_a"), user("well?"), says("Still working."), tool("call_a", "done")),
		After:   history(calls("call_a"), tool("call_a", "done"), user("well?"), says("Still working.")),
	},
	repair.EarlyResult: {
		What: "A result stands before its call.",
		Errors: []string{
			"messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
			"unexpected `tool_use_id` found in `tool_result` blocks",
		},
		Repair:  "Moves the result behind its call, if one call alone can own it.",
		Dialect: "openai-chat",
		Before:  history(tool("call_a", "done"), calls("call_a")),
		After:   history(calls("call_a"), tool("call_a", "done")),
	},
	repair.SplitResults: {
		What: "The results of one turn stand in more than one message, where the provider wants them all in the next.",
		Errors: []string{
			"`tool_use` ids were found without `tool_result` blocks immediately after",
			"unexpected `tool_use_id` found in `tool_result` blocks",
		},
		Repair:  "Puts all results of the turn into the first message behind it.",
		Dialect: "anthropic",
		Before:  history(toolUses("toolu_a", "toolu_b"), blocks(toolResult("toolu_a")), blocks(toolResult("toolu_b"))),
		After:   history(toolUses("toolu_a", "toolu_b"), blocks(toolResult("toolu_a"), toolResult("toolu_b"))),
	},
	repair.ResultNotFirst: {
		What: "Other content stands before a result in its message, where the provider wants results first.",
		Errors: []string{
			"`tool_use` ids were found without `tool_result` blocks immediately after",
			"`tool_result` block(s) at the beginning of this message",
		},
		Repair:  "Moves the results of the message before its other content.",
		Dialect: "anthropic",
		Before:  history(toolUses("toolu_a"), blocks(textBlock("also this"), toolResult("toolu_a"))),
		After:   history(toolUses("toolu_a"), blocks(toolResult("toolu_a"), textBlock("also this"))),
	},
	repair.OutOfOrderResult: {
		What:    "The results of a turn are all there, in another order than the calls. Providers that pair by id take it; servers and templates that pair by position give a call the wrong result.",
		Repair:  "Puts the results in call order. --keep-order leaves them.",
		Dialect: "openai-chat",
		Before:  history(calls("call_a", "call_b"), tool("call_b", "two"), tool("call_a", "one")),
		After:   history(calls("call_a", "call_b"), tool("call_a", "one"), tool("call_b", "two")),
	},
	repair.DuplicateResult: {
		What: "A call has more results than one.",
		Errors: []string{
			"each tool_use must have a single result",
			"number of toolResult blocks exceeds the number of toolUse blocks of previous turn",
			"messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
		},
		Repair:  "Keeps the best: a real result before an empty one, a placeholder and a marker, of equals the first. The others go into the journal.",
		Dialect: "openai-chat",
		Before:  history(calls("call_a"), tool("call_a", "done"), tool("call_a", "done again")),
		After:   history(calls("call_a"), tool("call_a", "done")),
	},
	repair.OrphanResult: {
		What: "A result answers a call that is not there, often because the call was cut off to save context.",
		Errors: []string{
			"messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
			"unexpected `tool_use_id` found in `tool_result` blocks",
			"No tool call found for function call output with call_id",
			"Unexpected tool call id X in tool results",
		},
		Repair:  "Removes the result; the journal keeps it. A call is never made up.",
		Dialect: "openai-chat",
		Before:  history(user("list files"), tool("call_a", "a.txt"), says("One file.")),
		After:   history(user("list files"), says("One file.")),
	},
	repair.AbortedResult: {
		What: "A result answers a call of a turn that was aborted or failed. Such a turn is never sent again, so its result stands alone.",
		Errors: []string{
			"messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
			"unexpected `tool_use_id` found in `tool_result` blocks",
		},
		Repair:  "Removes the result; the journal keeps it. The aborted turn stays.",
		Dialect: "pi",
		Before:  history(piCall("aborted"), piResult("ls")),
		After:   history(piCall("aborted")),
	},
	repair.AmbiguousResult: {
		What: "A result away from its call could belong to more than one call, since they have the same id.",
		Errors: []string{
			"messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
		},
		Repair:  "Removes the result, never guesses: a wrong result is worse than none. The journal keeps it.",
		Dialect: "openai-chat",
		Before: history(calls("call_a"), user("again"), calls("call_a"), user("else"),
			calls("call_b"), tool("call_b", "two"), tool("call_a", "whose?")),
		After: history(calls("call_a"), tool("call_a", "[interrompu]"), user("again"),
			calls("call_a"), tool("call_a", "[interrompu]"), user("else"), calls("call_b"), tool("call_b", "two")),
	},
	repair.EmptyCallID: {
		What: "A call has no id: empty, null or absent.",
		Errors: []string{
			"Invalid 'messages[n].tool_calls[m].id': empty string",
			"tool_use.id: String should match pattern",
		},
		Repair:  "Gives it an id made of its place, call_repair_<message>_<call>; its result follows.",
		Dialect: "openai-chat",
		Before:  history(user("list files"), calls(""), tool("", "a.txt")),
		After:   history(user("list files"), calls("call_repair_1_0"), tool("call_repair_1_0", "a.txt")),
	},
	repair.EmptyResultID: {
		What: "A result has no id: empty, null or absent.",
		Errors: []string{
			"messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
			"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
		},
		Repair:  "Gives it the id of the call that it answers: by order if there are as many as open calls in its exchange, else by a tool name that is unique. Otherwise it is removed.",
		Dialect: "openai-chat",
		Before:  history(calls("call_a"), tool("", "done")),
		After:   history(calls("call_a"), tool("call_a", "done")),
	},
	repair.DuplicateCallID: {
		What: "Two calls of one turn have the same id; where ids must be unique in the whole history, two calls of any turns.",
		Errors: []string{
			"`tool_use` ids must be unique",
			"each tool_use must have a single result",
		},
		Repair:  "Renames the later call and its result to <id>_2, or the first number that is free.",
		Dialect: "openai-chat",
		Before:  history(calls("call_a", "call_a"), tool("call_a", "one"), tool("call_a", "two")),
		After:   history(calls("call_a", "call_a_2"), tool("call_a", "one"), tool("call_a_2", "two")),
	},
	repair.WrongRoleCall: {
		What:    "A call stands in a message whose role cannot call, such as the user's.",
		Errors:  []string{"`tool_use` blocks can only be in `assistant` messages"},
		Repair:  "Removes the call; the journal keeps it.",
		Dialect: "anthropic",
		Before:  history(blocks(textBlock("list files"), toolUse("toolu_a"))),
		After:   history(blocks(textBlock("list files"))),
	},
	repair.ServerOrphan: {
		What:    "The result of a tool that the provider runs itself has no call before it in its message.",
		Errors:  []string{"corresponding `server_tool_use` block before it"},
		Repair:  "Puts it behind its call if one open call of an earlier message has its id, else removes it; the journal keeps it.",
		Dialect: "anthropic",
		Before: history(user("search"), `{"role":"assistant","content":[`+
			`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_a","content":[]},`+textBlock("Found.")+`]}`),
		After: history(user("search"), `{"role":"assistant","content":[`+textBlock("Found.")+`]}`),
	},
	repair.BlankToolName: {
		What:    "A result does not say which tool it is of, though its dialect has a place for the name.",
		Errors:  []string{"Invalid 'input[n].name': empty string"},
		Repair:  "Gives it the tool name of its call.",
		Dialect: "pi",
		Before:  history(piCall("toolUse"), piResult("")),
		After:   history(piCall("toolUse"), piResult("ls")),
	},
	repair.EmptyCalls: {
		What:    "A message has a list of calls with nothing in it.",
		Errors:  []string{"[] is too short - 'messages.N.tool_calls'"},
		Repair:  "Removes the empty list.",
		Dialect: "openai-chat",
		Before:  history(user("hello"), `{"role":"assistant","content":"Hello.","tool_calls":[]}`),
		After:   history(user("hello"), says("Hello.")),
	},
	repair.BadArguments: {
		What: "The arguments of a call are no JSON, or not the object that the dialect wants, usually since the model was cut off. Servers that parse them again on each request fail on each.",
		Errors: []string{
			"Failed to parse tool call arguments as JSON",
			"[json.exception.parse_error.101]",
			"json: cannot unmarshal string into Go struct field",
		},
		Repair:  "Makes them an empty object; the journal keeps the old text. A string that holds an object is unwrapped where an object is wanted.",
		Dialect: "openai-chat",
		Before:  history(callsWith(`{\"path\":`, "call_a"), tool("call_a", "bad arguments")),
		After:   history(callsWith(`{}`, "call_a"), tool("call_a", "bad arguments")),
	},
}
