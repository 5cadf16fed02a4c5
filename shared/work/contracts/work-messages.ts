// Which messages are contracts and claims, by their shape alone: whether they count, and what they
// say, is read elsewhere.
import type { VlpMessage } from '#schemas/vlp'

/** Of a message, what contracts and claims are read from. */
export interface WorkMessage extends Readonly<Pick<VlpMessage, 'sender' | 'receiver'>> {
  readonly refers_to?: string | readonly string[] | null
  readonly payload?: Readonly<Record<string, unknown>> | null
}

/** Whether the message is one that opens a contract, if it counts. */
export function statesContract({ type, payload }: VlpMessage): boolean {
  return type === 'query' && payload?.['contract'] !== undefined
}

/** Whether the message claims that a task is done, or cannot be. */
export function statesCompletion({ type, payload }: VlpMessage): boolean {
  return type === 'claim' && payload?.['completion'] !== undefined
}

/** The names and ids that the message refers to, each once. */
export function refersTo({
  refers_to: refs = null,
}: Pick<WorkMessage, 'refers_to'>): readonly string[] {
  return [...new Set(typeof refs === 'string' ? [refs] : (refs ?? []))]
}
