// Why an operator or an author could not do what they wanted, in one sentence each; what everyone
// can meet is elsewhere.
import { consoleProblemText } from '../problem-text.ts'

const problems: ReadonlyMap<string, string> = new Map([
  ['caller_refused', 'The catalog does not let you see or do this.'],
  ['caller_busy', 'That was too much at once. Wait a moment.'],
  ['log_unavailable', 'The log is out of reach. What you see was read before.'],
  ['log_busy', 'The log is busy. What you see was read before.'],
  ['door_closed', 'This server is closing.'],
  ['signing_changed', 'It has changed since you looked. Nothing was signed: look again.'],
  ['conflict', 'Someone else was first. Look at it as it is now.'],
  ['no_proposal', 'This proposal is not open any more.'],
  ['ruled', 'Someone has ruled on this already.'],
  ['ruling_void', 'Your ruling would not count, so it was not sent: look at the answer again.'],
  ['revocation_void', 'Only the signer, the owner of the agent or a policy admin revokes this.'],
  ['word_void', 'Your note would not count, so it was not sent to the log.'],
  ['reinstatement_refused', 'It is not suspended by its standing, or you may not reinstate it.'],
  ['unknown_principal', 'The catalog has no one by that name.'],
  ['no_intent', 'The log has nothing by that address.'],
  ['no_fault', 'The log has no such fault.'],
  ['request_invalid', 'The server does not take this: look at what is marked.'],
  ['no_console', 'No console in the catalog has this address, so no passkey signs here.'],
])

/** For a code of the server or of the page itself; never what the server wrote. */
export function overseeingProblemText(code: string): string {
  return problems.get(code) ?? consoleProblemText(code)
}
