package repair

import "boltmend/internal/jsonedit"

// A member is a name that some dialect gives a meaning to. Names match
// without case and "_", so that Go structs without tags (ToolCallID), camel
// case and snake case are one.
type member uint8

const (
	mOther member = iota
	mApproval
	mArgs
	mArguments
	mBranch
	mCallID
	mContent
	mCustom
	mErrorText
	mExecution
	mFunction
	mFunctionCall
	mFunctionResponse
	mID
	mInput
	mInvalidToolCalls
	mIsError
	mIsSidechain
	mKwargs
	mLaneID
	mLocalOnly
	mLongRunning
	mName
	mOutput
	mParentID
	mParts
	mProviderExecuted
	mResponse
	mResult
	mRole
	mState
	mStatus
	mStopReason
	mText
	mToolCallID
	mToolCalls
	mToolID
	mToolInvocation
	mToolInvocations
	mToolName
	mToolResult
	mToolResults
	mToolUse
	mToolUseID
	mType
	mUUID
	memberCount
)

// memberOf says which member a name is. It runs for every name of every
// message, so the usual spellings are looked at before anything is folded.
func memberOf(name []byte) member {
	switch string(name) {
	case "role":
		return mRole
	case "content":
		return mContent
	case "tool_calls":
		return mToolCalls
	case "tool_call_id":
		return mToolCallID
	case "id":
		return mID
	case "type":
		return mType
	case "text":
		return mText
	case "name":
		return mName
	case "function":
		return mFunction
	case "arguments":
		return mArguments
	case "input":
		return mInput
	case "tool_use_id":
		return mToolUseID
	}
	return foldedMember(name)
}

// foldedMember is memberOf for a name in any case and with or without "_".
func foldedMember(name []byte) member {
	var buf [18]byte // the longest name has as many letters
	n := 0
	for _, c := range name {
		if c == '_' {
			continue
		}
		if n == len(buf) {
			return mOther
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[n] = c
		n++
	}
	switch string(buf[:n]) {
	case "arguments":
		return mArguments
	case "branch":
		return mBranch
	case "content":
		return mContent
	case "custom":
		return mCustom
	case "function":
		return mFunction
	case "functioncall":
		return mFunctionCall
	case "id":
		return mID
	case "input":
		return mInput
	case "iserror":
		return mIsError
	case "issidechain":
		return mIsSidechain
	case "laneid":
		return mLaneID
	case "localonly", "hidden", "displayonly", "uionly", "deleted", "isdeleted":
		return mLocalOnly
	case "longrunningtoolids":
		return mLongRunning
	case "name":
		return mName
	case "output":
		return mOutput
	case "parentid", "parentuuid":
		return mParentID
	case "parts":
		return mParts
	case "result":
		return mResult
	case "role":
		return mRole
	case "state":
		return mState
	case "status":
		return mStatus
	case "stopreason":
		return mStopReason
	case "text":
		return mText
	case "toolcallid":
		return mToolCallID
	case "toolcalls":
		return mToolCalls
	case "toolid":
		return mToolID
	case "toolname":
		return mToolName
	case "tooluseid":
		return mToolUseID
	case "type":
		return mType
	case "uuid":
		return mUUID
	case "approval":
		return mApproval
	case "args":
		return mArgs
	case "callid":
		return mCallID
	case "errortext":
		return mErrorText
	case "execution":
		return mExecution
	case "functionresponse":
		return mFunctionResponse
	case "invalidtoolcalls":
		return mInvalidToolCalls
	case "kwargs":
		return mKwargs
	case "providerexecuted":
		return mProviderExecuted
	case "response":
		return mResponse
	case "toolinvocation":
		return mToolInvocation
	case "toolinvocations":
		return mToolInvocations
	case "toolresult":
		return mToolResult
	case "toolresults":
		return mToolResults
	case "tooluse":
		return mToolUse
	}
	return mOther
}

// members are the values of an object by member; None where it has none. Of
// duplicates the last one counts, as in encoding/json.
type members [memberCount]jsonedit.Ref

// noMembers is copied, which is faster than setting each.
var noMembers = func() (m members) {
	for i := range m {
		m[i] = jsonedit.None
	}
	return m
}()

// collect reads an object's members into m; what is no object has none.
func (m *members) collect(d *jsonedit.Doc, obj jsonedit.Ref) {
	*m = noMembers
	if obj == jsonedit.None || d.Kind(obj) != jsonedit.Object {
		return
	}
	for key, end := obj+1, d.End(obj); key < end; key = d.End(key + 1) {
		m[nameOf(d, key)] = key + 1
	}
}

// isEmpty reports whether there is no member at all.
func (m *members) isEmpty() bool {
	for _, r := range m {
		if r != jsonedit.None {
			return false
		}
	}
	return true
}

// nameOf says which member a name node is.
func nameOf(d *jsonedit.Doc, key jsonedit.Ref) member {
	if d.Escaped(key) {
		return memberOf([]byte(d.Text(key)))
	}
	return memberOf(d.Inner(key))
}

// has reports whether the member is there and not null.
func (m *members) has(d *jsonedit.Doc, name member) bool {
	return m[name] != jsonedit.None && d.Kind(m[name]) != jsonedit.Null
}

// text returns a string member's text as it is stored if it holds no
// escapes, else decoded; nil for what is no string.
func text(d *jsonedit.Doc, r jsonedit.Ref) []byte {
	if r == jsonedit.None || d.Kind(r) != jsonedit.String {
		return nil
	}
	if d.Escaped(r) {
		return []byte(d.Text(r))
	}
	return d.Inner(r)
}
