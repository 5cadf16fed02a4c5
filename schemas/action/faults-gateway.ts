// Faults of gateways, and of their drivers and secrets: what each code means, and what to do.
import type { FaultEntry } from '../faults/entry.ts'

export const gatewayFaults = {
  handle_refused: {
    retry: 'never',
    means: 'Nothing more of the result is shown.',
    fix: 'The code in the message says why: ask for fewer rows or fields, or call the tool again.',
  },
  session_budget_exceeded: {
    retry: 'never',
    means: 'The session was shown as much of results as it may have. The action did not run.',
    fix: 'Go on in a new session, wait, or have the operator raise `WARRANT_SESSION_CHARS`.',
  },
  settlement_void: {
    retry: 'never',
    means: 'The settlement would count for nothing, so nothing was bound.',
    fix: 'The message says why. `warrant log --open` lists outcomes that no one knows.',
  },
  not_for_gateway: {
    retry: 'never',
    means: 'The tool has no driver, so no gateway carries it out.',
    fix: 'Give it a `driver` in the catalog, or run it by a guard in the agent’s own program.',
  },
  not_allowed: {
    retry: 'never',
    means: 'The verdict is no allow, so nothing was run.',
    fix: 'Look at the reasons of the verdict: `warrant explain INTENT`.',
  },
  capability_changed: {
    retry: 'never',
    means: 'The catalog changed how the tool is carried out after it was allowed.',
    fix: 'Ask again: what was allowed is not what would run now.',
  },
  gateway_missing: {
    retry: 'never',
    means: 'This client carries out no tools itself, and knows no gateway that does.',
    fix: 'Give `gateway: { url }` to `connect`: the address of a `warrant up gateway`.',
  },
  driver_missing: {
    retry: 'never',
    means: 'This gateway cannot run tools of that kind.',
    fix: 'Start a gateway that has the driver, or correct `driver` in the catalog.',
  },
  gateway_busy: {
    retry: 'soon',
    means: 'Too many calls of this agent wait for this tool already.',
    fix: 'Wait for some of them, or raise `execution.concurrency` in the catalog.',
  },
  gateway_closed: {
    retry: 'soon',
    means: 'The gateway is closing and takes no calls. Nothing was run.',
    fix: 'Call again when it is back.',
  },
  call_cancelled: {
    retry: 'never',
    means: 'The caller left before the call was begun. Nothing was run.',
    fix: 'Call again while the warrant is good.',
  },
  tool_failed: {
    retry: 'never',
    means: 'The tool ran and failed, or could not be run; the outcome is recorded.',
    fix: 'The code in the message says why. A further attempt needs a warrant of its own.',
  },
  outcome_unknown: {
    retry: 'never',
    means: 'No one knows whether the call was carried out; that is recorded.',
    fix: 'Look in the other system, then `warrant settle INTENT --happened yes|no`.',
  },
  gateway_only: {
    retry: 'never',
    means: 'A gateway carries the tool out, so the agent’s own program may not.',
    fix: 'Call it through the gateway: `call` of the client, or `warrant call`.',
  },
  token_refused: {
    retry: 'never',
    means: 'The warrant that was presented, or the proof of its holder, is not accepted.',
    fix: 'Look up the code in `reason`: present a good warrant, with a proof for this request.',
  },
  dpop_used: {
    retry: 'never',
    means: 'The proof of the holder was presented before.',
    fix: 'Make a proof for each request, with a `jti` of its own.',
  },
  request_invalid: {
    retry: 'never',
    means: 'The request is not one that the server answers, or is larger than it may be.',
    fix: 'Correct what `detail` names.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>

export const driversFaults = {
  secret_missing: {
    retry: 'never',
    means: 'The catalog names a secret that the gateway does not have.',
    fix: 'Set `WARRANT_SECRET_<NAME>`, or write the file `<NAME>` in the folder `WARRANT_SECRETS`.',
  },
  secret_invalid: {
    retry: 'never',
    means: 'A secret cannot be read, others may read it, or it is too short or too long.',
    fix: 'Let its owner alone read the file (`chmod 600`), and look at what it holds.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
