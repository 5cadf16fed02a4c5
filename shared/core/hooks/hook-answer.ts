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

function written(object: JsonObject): Pick<HookOutput, 'body' | 'stdout'> {
  const body = JSON.stringify(object)
  return { body, stdout: body === '{}' ? '' : `${body}\n` }
}
