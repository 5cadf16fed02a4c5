// The answer to a hook in the shape of each host. All of them take exit code 2 with a sentence on
// standard error as a block; only Copilot reads a denial from standard output alone.
import type { JsonObject } from '#schemas/catalog'
import type { HookHost } from '#schemas/hooks/tools'

export interface HookDecision {
  readonly outcome: 'allow' | 'ask' | 'deny'
  /** Empty for an allow. */
  readonly reason: string
}

/** What a process that the host starts writes, and how it ends. */
export interface HookOutput {
  /** The JSON of the answer, for a host that has asked over HTTP. */
  readonly body: string
  readonly stdout: string
  readonly stderr: string
  readonly exit: 0 | 2
  /** Of a hook that only observes: why the call is not recorded with a verdict; null if it is. */
  readonly missed?: string | null
}

/** The JSON that the host reads, of a call that is about to run. */
function decisionBody(host: HookHost, { outcome, reason }: HookDecision): JsonObject {
  switch (host) {
    case 'claude-code':
      return claude(outcome, reason)
    case 'codex':
      // It reports an allow as one that it does not know, and runs what is asked about.
      return outcome === 'allow' ? {} : claude('deny', reason)
    case 'gemini':
      return outcome === 'allow' ? { decision: 'allow' } : { decision: 'deny', reason }
    case 'cursor':
      return outcome === 'allow'
        ? { permission: 'allow' }
        : { permission: outcome, user_message: reason, agent_message: reason }
    case 'copilot':
      return outcome === 'allow'
        ? { permissionDecision: 'allow' }
        : { permissionDecision: 'deny', permissionDecisionReason: reason }
  }
}

/** A hook that the host means for something else must not let anything run. */
export function unreadDecision(host: HookHost, why: string): HookDecision {
  const reason = `warrant: blocked, since the event is not one of ${host}: ${why}. Run`
  return { outcome: 'deny', reason: `${reason} \`warrant hook test --for ${host}\`.` }
}

function claude(outcome: HookDecision['outcome'], reason: string): JsonObject {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: outcome,
      ...(reason !== '' && { permissionDecisionReason: reason }),
    },
  }
}

/** The JSON to an event that asks nothing. */
function notedBody(host: HookHost, is: 'done' | 'prompt'): JsonObject {
  return host === 'cursor' && is === 'prompt' ? { continue: true } : {}
}

export function decisionOutput(host: HookHost, decision: HookDecision): HookOutput {
  const object = decisionBody(host, decision)
  const { body, stdout } = written(object)
  const quiet = { body, stdout, stderr: '', exit: 0 } as const
  if (decision.outcome === 'allow') return quiet
  // A host that cannot ask gets a denial.
  const isAsked = decision.outcome === 'ask' && (host === 'claude-code' || host === 'cursor')
  if (isAsked) return quiet
  const stderr = `${decision.reason}\n`
  if (host === 'copilot') return { body, stdout, stderr, exit: 0 }
  return { body, stdout: host === 'cursor' ? stdout : '', stderr, exit: 2 }
}

export function notedOutput(host: HookHost, is: 'done' | 'prompt'): HookOutput {
  return { ...written(notedBody(host, is)), stderr: '', exit: 0 }
}

/**
 * The empty answer, by which the host goes by its own rules: an allow would stand in for its own
 * dialogue. `missed` is why there is no verdict; null where there is one.
 */
export function neutralOutput(
  host: HookHost,
  is: 'call' | 'done' | 'prompt',
  missed: string | null,
): HookOutput {
  const { body } = written(is === 'call' ? {} : notedBody(host, is))
  // Gemini takes standard error for the answer where standard output is empty.
  const isEmpty = body === '{}' && host !== 'gemini' && host !== 'cursor'
  const stderr = missed === null ? '' : `warrant: observed only, and not recorded: ${missed}\n`
  return { body, stdout: isEmpty ? '' : `${body}\n`, stderr, exit: 0, missed }
}

function written(object: JsonObject): Pick<HookOutput, 'body' | 'stdout'> {
  const body = JSON.stringify(object)
  return { body, stdout: body === '{}' ? '' : `${body}\n` }
}
