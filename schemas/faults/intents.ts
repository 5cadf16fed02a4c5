// Faults of intents, verdicts and reviews: what each code means, and what to do.
import { exitCodes } from './exit.ts'
import type { FaultEntry } from './entry.ts'

export const intentsFaults = {
  no_intent: {
    retry: 'never',
    means: 'The log has no such intent, or it ended without a verdict.',
    fix: 'List them with `warrant log`.',
  },
  intent_ambiguous: {
    retry: 'never',
    means: 'The short form fits several intents.',
    fix: 'Give more characters of the address.',
  },
  intent_invalid: {
    retry: 'never',
    means: 'The intent does not follow its schema, or its arguments cannot be judged.',
    fix: 'Correct the place that the message names.',
  },
  options_invalid: {
    retry: 'never',
    means: 'What a program was made with is no option, or not of its type.',
    fix: 'Correct the option that the message names.',
  },
  message_invalid: {
    retry: 'never',
    means: 'The message does not follow the rules of VLP.',
    fix: 'Correct what the message lists.',
  },
  not_open: {
    retry: 'never',
    means: 'The intent has its verdict, or the message asks for nothing.',
    fix: 'See it with `warrant trace`.',
  },
  not_yours: {
    retry: 'never',
    means: 'The intent belongs to another agent.',
    fix: 'Use the client of that agent.',
  },
  no_sender: {
    retry: 'never',
    means: 'The client does not know who speaks.',
    fix: 'Give `as` to `connect`.',
  },
  reads_own: {
    retry: 'never',
    means: 'The client may read its own messages and verdicts only.',
    fix: 'Use a role that reads the log.',
  },
  address_used: {
    retry: 'never',
    means: 'The address was used in an earlier era, so the new intent is ignored.',
    fix: 'Ask again under a new address.',
  },
  not_guarded: {
    retry: 'never',
    means: 'The client guards no tool of that name, so nothing runs for the intent.',
    fix: 'Call `guard` for the tool first, or redeem on the guarded function.',
  },
  no_verdict: {
    retry: 'soon',
    exit: exitCodes.noVerdict,
    means: 'There was no verdict in time. The message says who has not answered.',
    fix: 'Wait for the verdict, or ask again. The same intent may be repeated.',
  },
  verdict_void: {
    retry: 'never',
    means: 'The verdict does not count.',
    fix: 'Stop, and find out which process bound it. `warrant log --void` lists such facts.',
  },
  verdict_not_derived: {
    retry: 'never',
    means: 'The stages would not have bound this verdict. The action did not run.',
    fix: 'Ask again. `warrant replay --intent` shows the difference.',
  },
  verdict_late: {
    retry: 'never',
    means: 'The verdict came later than what it follows from allows. The action did not run.',
    fix: 'Ask again.',
  },
  warrant_used: {
    retry: 'never',
    means: 'The warrant was used already. The action did not run.',
    fix: 'Ask again.',
  },
  warrant_expired: {
    retry: 'never',
    means: 'The last moment of the warrant has passed. The action did not run.',
    fix: 'Ask again, and act in time.',
  },
  warrant_revoked: {
    retry: 'never',
    means: 'A person revoked the warrant after it was given. The action did not run.',
    fix: 'Ask again. `warrant revocations` shows who revoked what, and why.',
  },
  no_warrant: {
    retry: 'never',
    means: 'The verdict permits nothing, so there is no warrant.',
    fix: 'See it with `warrant trace`.',
  },
  not_decided: {
    retry: 'soon',
    means: 'The intent has no verdict yet.',
    fix: 'Wait for it, or withdraw the intent.',
  },
  revocation_void: {
    retry: 'never',
    means: 'The signer may not revoke this. Nothing was bound.',
    fix: 'Sign as a policy admin, or as the owner of the agent.',
  },
  request_differs: {
    retry: 'never',
    means: 'The id that was given for this intent is that of another one.',
    fix: 'Take a new id for a new intent, and the same one only to repeat it.',
  },
  warrant_differs: {
    retry: 'never',
    means: 'The warrant is for another call. The action did not run.',
    fix: 'Call exactly what the verdict allowed, or ask again.',
  },
  agent_suspended: {
    retry: 'never',
    means:
      'The agent, or one of its owners, was suspended after the verdict. The action did not run.',
    fix: 'Have the suspension lifted, then ask again.',
  },
  capability_suspended: {
    retry: 'never',
    means: 'The tool was suspended after the verdict. The action did not run.',
    fix: 'Have a person look at what changed and accept it, then ask again.',
  },
  no_review: {
    retry: 'never',
    means: 'No one is asked about this intent.',
    fix: 'List the open reviews with `warrant reviews`.',
  },
  answer_void: {
    retry: 'never',
    means: 'The answer would not count, so it was not signed.',
    fix: 'Answer as one who is asked. The message says why this one is not.',
  },
  decided: {
    retry: 'never',
    means: 'This person has answered already.',
    fix: 'Nothing. `warrant trace` shows the answer.',
  },
  decision_void: {
    retry: 'never',
    means: 'The answer would not count, so nothing was bound.',
    fix: 'Answer as one who is asked. The message says why this one is not.',
  },
  lift_void: {
    retry: 'never',
    means: 'The signer may not lift the block of this agent. Nothing was bound.',
    fix: 'Sign as the owner, or as a policy admin.',
  },
  no_grounding: {
    retry: 'never',
    means: 'The log has no grounding of this intent.',
    fix: 'See whether it is still open: `warrant log --open`.',
  },
  nothing_asked: {
    retry: 'never',
    means: 'The intent needed no knowledge, so its grounding has no picture.',
    fix: 'Nothing.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
