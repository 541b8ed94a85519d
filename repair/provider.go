package repair

import "slices"

// A Provider is who a history is to be sent to. Where rules of providers
// differ, it says whose count.
type Provider string

// The providers that can be asked about. What they refuse was read in error
// reports and in programs that speak to them on 2026-11-30; docs/dialects.md
// has the errors and how each rule is known.
const (
	// ToOpenAI is Chat Completions of OpenAI.
	ToOpenAI Provider = "openai"
	// ToOpenAIResponses is OpenAI's Responses API.
	ToOpenAIResponses Provider = "openai-responses"
	// ToAnthropic is the Messages API of Anthropic.
	ToAnthropic Provider = "anthropic"
	// ToGemini is Google's Gemini API.
	ToGemini Provider = "gemini"
	// ToBedrock is the Converse API of Amazon Bedrock.
	ToBedrock Provider = "bedrock"
	// ToMistral is Mistral's API.
	ToMistral Provider = "mistral"
	// ToLlamaCpp is llama.cpp's server and the templates that it runs.
	ToLlamaCpp Provider = "llamacpp"
	// ToOllama is Ollama's own API.
	ToOllama Provider = "ollama"
	// ToDeepSeek is DeepSeek's API.
	ToDeepSeek Provider = "deepseek"
	// ToMiniMax is MiniMax's API that looks like Anthropic's.
	ToMiniMax Provider = "minimax"
)

// A provider is what one provider demands beyond pairing.
type provider struct {
	name Provider
	ids  idRule
	// names is what it takes for the name of a tool, nil for anything.
	names nameRule
	// speaks is the dialect in which it takes messages. Roles are judged in
	// that alone: what an app makes of them for another cannot be known.
	speaks Dialect
	// roles are those that it takes, none for any.
	roles []string
}

// An idRule is what call ids have to be; the zero value takes any.
type idRule struct {
	chars func(c byte) bool // nil for any
	max   int               // in bytes, 0 for any
	exact bool              // all ids have max bytes
	// unique: no id may come twice in a request.
	unique bool
}

// A nameRule says whether a tool's name may have a byte, and the most bytes
// that it may have.
type nameRule struct {
	chars func(c byte) bool
	max   int
}

// providers is every provider.
//
// Ids: Anthropic and Bedrock, "String should match pattern" (langchain
// issue 37756); OpenAI, "string too long", 40 as reported in 2025 and 2026, by
// later accounts 64, so that 40 will do for all; OpenAI Responses 64 (pi-cursor-sdk
// issue 237); Mistral, "must be a-z, A-Z, 0-9, with a length of 9", code 3280.
// Names: as ids, from the same errors; Gemini takes dots and colons as well.
var providers = []provider{
	{ToOpenAI, idRule{chars: isWord, max: 40}, nameRule{isWord, 64}, OpenAIChat,
		[]string{"system", "developer", "user", "assistant", "tool", "function"}},
	{ToOpenAIResponses, idRule{chars: isWord, max: 64, unique: true}, nameRule{isWord, 64}, OpenAIResponses,
		[]string{"system", "developer", "user", "assistant"}},
	{ToAnthropic, idRule{chars: isWord, max: 64, unique: true}, nameRule{isWord, 128}, Anthropic,
		[]string{"user", "assistant"}},
	{ToGemini, idRule{}, nameRule{isGeminiName, 64}, Gemini,
		[]string{"user", "model", "function"}},
	{ToBedrock, idRule{chars: isWord, max: 64, unique: true}, nameRule{isWord, 64}, BedrockConverse,
		[]string{"user", "assistant"}},
	{ToMistral, mistralID, nameRule{isWord, 64}, OpenAIChat,
		[]string{"system", "user", "assistant", "tool"}},
	{ToLlamaCpp, idRule{}, nameRule{}, OpenAIChat, nil},
	{ToOllama, idRule{}, nameRule{}, Ollama, nil},
	{ToDeepSeek, idRule{}, nameRule{isWord, 64}, OpenAIChat,
		[]string{"system", "user", "assistant", "tool"}},
	{ToMiniMax, idRule{}, nameRule{}, Anthropic, []string{"user", "assistant"}},
}

// Providers returns every provider that Options.Target may name.
func Providers() []Provider {
	all := make([]Provider, len(providers))
	for i := range providers {
		all[i] = providers[i].name
	}
	return all
}

// check returns what is wrong with options that no history can be judged by.
func (o *Options) check() error {
	if _, err := o.provider(); err != nil {
		return err
	}
	for _, code := range o.Fix {
		if !slices.Contains(fixable, code) {
			return ErrNoFix
		}
	}
	return nil
}

// provider returns the target, nil if there is none.
func (o *Options) provider() (*provider, error) {
	if o.Target == "" {
		return nil, nil
	}
	for i := range providers {
		if providers[i].name == o.Target {
			return &providers[i], nil
		}
	}
	return nil, ErrUnknownProvider
}

// fixes reports whether findings of a code are to be changed.
func (o *Options) fixes(code Code) bool { return slices.Contains(o.Fix, code) }

func isLetterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isWord(c byte) bool { return isLetterOrDigit(c) || c == '_' || c == '-' }

func isGeminiName(c byte) bool { return isWord(c) || c == '.' || c == ':' }

// isNameSomewhere is what some provider takes in the name of a tool.
func isNameSomewhere(c byte) bool { return isGeminiName(c) || c == '/' || c >= 0x80 }
