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
  const body = decisionBody(host, decision)
  const stdout = Object.keys(body).length === 0 ? '' : `${JSON.stringify(body)}\n`
  if (decision.outcome === 'allow') return { stdout, stderr: '', exit: 0 }
  // A host that cannot ask gets a denial.
  const isAsked = decision.outcome === 'ask' && (host === 'claude-code' || host === 'cursor')
  if (isAsked) return { stdout, stderr: '', exit: 0 }
  const stderr = `${decision.reason}\n`
  if (host === 'copilot') return { stdout, stderr, exit: 0 }
  return { stdout: host === 'cursor' ? stdout : '', stderr, exit: 2 }
}

export function notedOutput(host: HookHost, is: 'done' | 'prompt'): HookOutput {
  const body = notedBody(host, is)
  const stdout = Object.keys(body).length === 0 ? '' : `${JSON.stringify(body)}\n`
  return { stdout, stderr: '', exit: 0 }
}
