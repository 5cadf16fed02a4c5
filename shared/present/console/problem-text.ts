// Why something cannot be done or was not, in one sentence each: what stands in the way of an
// answer, how a review ended, and what went wrong on the way to the server.

const cannot = {
  not_asked: 'You are not among those who are asked.',
  suspended: 'You are suspended, so your answer would not count.',
  answered: 'You have answered this.',
  expired: 'The time to answer is up.',
  decided: 'It is decided.',
  withdrawn: 'The agent has withdrawn it.',
  replaced: 'What is asked has changed, so this one is not open any more.',
  no_key: 'You have no passkey that may sign this. A policy admin enrols one.',
} as const
export type Hindrance = keyof typeof cannot

/** What stands in the way of this person's answer. */
export function cannotText(why: Hindrance): string {
  return cannot[why]
}

const ended = {
  open: 'Waiting',
  decided: 'Decided',
  expired: 'Expired: no one answered in time',
  withdrawn: 'Withdrawn by the agent',
  replaced: 'Replaced: what is asked has changed',
  allowed: 'Allowed',
  denied: 'Denied',
  answered: 'Answered, waits for others',
  void: 'Counts for nothing: the allow was forged',
} as const
export type EndedAs = keyof typeof ended

export function endedText(as: EndedAs): string {
  return ended[as]
}

const problems: ReadonlyMap<string, string> = new Map([
  ['unreachable', 'The server does not answer. Nothing was sent.'],
  ['signed_out', 'You are signed out. Sign in again to go on.'],
  [
    'sign_in_refused',
    'That did not let you in: a link counts once, and not for long. Ask for another.',
  ],
  ['link_broken', 'This is not a whole link: copy all of it, or ask a policy admin for another.'],
  [
    'csrf_refused',
    'This browser does not say from which page it asks: open this page in an up-to-date browser.',
  ],
  ['identity_unknown', 'No one in the catalog has that account.'],
  ['identity_agent', 'That account is an agent’s. Its owner signs in.'],
  ['issuer_unreachable', 'Where your organisation signs in does not answer. Try again later.'],
  ['forbidden', 'You may not see this.'],
  ['not_found', 'Nothing is found here. It may be of another log, or not be for you.'],
  ['name_unknown', 'The graph has no such concept at that moment.'],
  ['no_review', 'This review is not open any more.'],
  ['decided', 'You have answered this already.'],
  ['decision_void', 'Your answer would not count, so it was not sent to the log.'],
  ['grant_void', 'This grant would count for nothing, so it was not sent to the log.'],
  ['signing_changed', 'It has changed since you saw it. Nothing was signed.'],
  ['caller_busy', 'That was too often. Wait a moment.'],
  [
    'nobody_confirmed',
    'Nothing was signed: your device did not confirm it. Use one that has your passkey.',
  ],
  ['no_passkeys', 'This browser cannot use passkeys here: they need https or localhost.'],
  ['signature_needed', 'What signed this is not yours, or not any more. Nothing was bound.'],
  ['word_void', 'It would count for nothing, so it was not sent to the log.'],
  ['no_browser_keys', 'This browser cannot make such a key, or cannot keep it.'],
  [
    'no_dev_key',
    'This page has no key to sign with: it is gone when the page is loaded again. The key p in ' +
      'the terminal of warrant dev shows another link.',
  ],
  ['other_content', 'What the server wants signed is not what you see. Nothing was signed.'],
  ['other_digest', 'What you see is not what the record asks. Do not answer here.'],
  ['usage', 'That is no expression: write one such as args.amount > 100, or add a filter.'],
  ['request_invalid', 'That cannot be read: look at the value of each filter.'],
  ['no_intent', 'The log has no such intent.'],
  ['not_derived', 'This browser could not derive it. That means nothing for the record.'],
  ['log_too_long', 'The log up to there is too long for a browser: use `warrant replay`.'],
  ['reason_needed', 'A reason is needed.'],
  ['push_not_set_up', 'No messages are pushed to browsers from here: a policy admin sets that up.'],
  [
    'push_unsupported',
    'This browser takes no messages here. On an iPhone, put this page on the home screen first.',
  ],
  ['push_denied', 'This browser may not show messages of this page: allow it in its settings.'],
  ['push_failed', 'The browser did not subscribe: its push service may be out of reach.'],
  ['reach_invalid', 'The server does not take this browser’s push service, or you have too many.'],
])

/** Why someone is not let in: what the server cannot read there is the link. */
export function signInProblem(code: string): string {
  return code === 'request_invalid' || code === 'usage' ? 'link_broken' : code
}

/** For a code of the server or of the page itself; never what the server wrote. */
export function consoleProblemText(code: string): string {
  return problems.get(code) ?? `It did not work (${code.replaceAll(/[^a-z0-9_]/g, '')}).`
}

/** Where a reason is needed and is too short. */
export function reasonNeededText(characters: number): string {
  return characters > 1
    ? `A reason of at least ${characters} characters is needed`
    : 'A reason is needed'
}
