package oracle

import (
	"fmt"
	"regexp"
	"strings"
)

// ids is what a provider takes for the id of a call, and whether an id may
// come twice in one request.
type ids struct {
	pattern *regexp.Regexp
	unique  bool
}

// targets are the providers that are particular about ids, as their errors
// tell it.
var targets = map[string]ids{
	"openai":           {regexp.MustCompile(`^[a-zA-Z0-9_-]{1,40}$`), false},
	"openai-responses": {regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`), true},
	"anthropic":        {regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`), true},
	"bedrock":          {regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`), true},
	"mistral":          {regexp.MustCompile(`^[a-zA-Z0-9]{9}$`), false},
}

// ForTarget returns a validator of the call ids of a history in a dialect: it
// says which of them a provider would refuse. It is nil for a provider that
// takes any id.
func ForTarget(target, dialect string) func(src []byte) error {
	rule, ok := targets[target]
	if !ok {
		return nil
	}
	return func(src []byte) error {
		branches, err := CallIDs(dialect, src)
		if err != nil {
			return err
		}
		for _, ids := range branches {
			seen := map[string]bool{}
			for _, id := range ids {
				if !rule.pattern.MatchString(id) {
					return fmt.Errorf("id %q: String should match pattern '%s'", id, rule.pattern)
				}
				if rule.unique && seen[id] {
					return fmt.Errorf("ids must be unique: %q", id)
				}
				seen[id] = true
			}
		}
		return nil
	}
}

// CallIDs returns the ids of the calls of a history, in order, by branch. Calls
// without an id are left out, and those that the provider runs itself or is
// never sent.
func CallIDs(name string, src []byte) (branches [][]string, err error) {
	for _, d := range dialects {
		if d.name != name {
			continue
		}
		read, err := read(src, d.role)
		if err != nil {
			return nil, err
		}
		for _, ms := range read {
			list := []string{}
			for _, m := range d.sent(ms) {
				for _, c := range callObjects(name, m) {
					if id := c.callID(); id != "" {
						list = append(list, id)
					}
				}
			}
			branches = append(branches, list)
		}
		return branches, nil
	}
	return nil, fmt.Errorf("no dialect %s", name)
}

// callID is what stands for an id, whatever it is called.
func (o object) callID() string {
	for _, name := range []string{"callid", "tooluseid", "toolcallid", "id"} {
		if id := o.text(name); id != "" {
			return id
		}
	}
	return ""
}

// callObjects returns the objects that hold the ids of a message's calls.
func callObjects(dialect string, m message) (calls []object) {
	switch dialect {
	case "openai-chat", "ollama", "grouped", "langchain":
		for _, holder := range []object{m.object, m.inner("kwargs")} {
			for _, c := range holder.objects("toolcalls") {
				if c["result"] == nil && c["output"] == nil {
					calls = append(calls, c)
				}
			}
		}
	case "anthropic", "pi", "ai-sdk-model":
		for _, b := range m.objects("content") {
			t := b.text("type")
			if t == "tool_use" || t == "toolCall" || t == "tool-call" && b["providerexecuted"] != true {
				calls = append(calls, b)
			}
		}
	case "gemini", "adk", "bedrock-converse":
		for _, list := range [][]object{m.objects("parts"), m.objects("content"), m.inner("content").objects("parts")} {
			for _, part := range list {
				for _, name := range []string{"functioncall", "tooluse"} {
					if c := part.inner(name); c != nil {
						calls = append(calls, c)
					}
				}
			}
		}
	case "openai-responses":
		if t := m.text("type"); strings.HasSuffix(t, "_call") && m.text("callid") != "" {
			calls = append(calls, m.object)
		}
	case "ai-sdk-ui":
		for _, part := range m.objects("parts") {
			t := part.text("type")
			if inv := part.inner("toolinvocation"); inv != nil {
				part = inv
			}
			if (strings.HasPrefix(t, "tool-") || t == "dynamic-tool") && part["providerexecuted"] != true && m.role == "assistant" {
				calls = append(calls, part)
			}
		}
	}
	return calls
}

// inner returns a member that is an object, else nil.
func (o object) inner(name string) object {
	in, _ := o[name].(object)
	return in
}
