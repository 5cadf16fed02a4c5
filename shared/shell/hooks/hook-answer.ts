// The answer to a hook in the shape of each host. All of them take exit code 2 with a sentence on
// standard error as a block, but for those that read a denial from standard output alone.
import type { JsonObject } from '#schemas/catalog'
import type { HookDecision, Host } from './hosts/host.ts'

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

/** A hook that the host means for something else must not let anything run. */
export function unreadDecision({ name }: Host, why: string): HookDecision {
  const reason = `warrant: blocked, since the event is not one of ${name}: ${why}. Run`
  return { outcome: 'deny', reason: `${reason} \`warrant hook test --for ${name}\`.` }
}

export function decisionOutput({ answers }: Host, decision: HookDecision): HookOutput {
  const { body, stdout } = written(answers.decision(decision))
  const quiet = { body, stdout, stderr: '', exit: 0 } as const
  if (decision.outcome === 'allow') return quiet
  if (decision.outcome === 'ask' && answers.canAsk) return quiet
  const stderr = `${decision.reason}\n`
  if (answers.blocksBy === 'json') return { body, stdout, stderr, exit: 0 }
  return { body, stdout: answers.blocksBy === 'both' ? stdout : '', stderr, exit: 2 }
}

/** Of a hook that could not do its work: a block, but where nothing is enforced. */
export function failedOutput(
  host: Host,
  event: string,
  { why, observes }: { readonly why: string; readonly observes: boolean },
): HookOutput {
  if (observes) {
    const { prompt } = host.answers
    const isPrompt = prompt !== undefined && event.includes(prompt.event)
    return neutralOutput(host, isPrompt ? 'prompt' : 'call', why)
  }
  const reason = `warrant: blocked, since ${why}`
  const output = decisionOutput(host, { outcome: 'deny', reason })
  return output.exit === 2 ? { ...output, stdout: '' } : output
}

export function notedOutput({ answers }: Host, is: 'done' | 'prompt'): HookOutput {
  return { ...written((is === 'prompt' && answers.prompt?.body) || {}), stderr: '', exit: 0 }
}

/**
 * The empty answer, by which the host goes by its own rules: an allow would stand in for its own
 * dialogue. `missed` is why there is no verdict; null where there is one.
 */
export function neutralOutput(
  { answers }: Host,
  is: 'call' | 'done' | 'prompt',
  missed: string | null,
): HookOutput {
  const { body } = written((is === 'prompt' && answers.prompt?.body) || {})
  const isLeftOut = body === '{}' && !answers.isNeverSilent
  const stderr = missed === null ? '' : `warrant: observed only, and not recorded: ${missed}\n`
  return { body, stdout: isLeftOut ? '' : `${body}\n`, stderr, exit: 0, missed }
}

function written(object: JsonObject): Pick<HookOutput, 'body' | 'stdout'> {
  const body = JSON.stringify(object)
  return { body, stdout: body === '{}' ? '' : `${body}\n` }
}
