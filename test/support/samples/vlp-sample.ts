// A sound VLP message for tests: only what a test is about is written out there.
import { checkMessage, type MessageCheck } from '#messages/check'
import type { SessionMessage } from '#messages/session'

export const session = 'S-2025-03-01-agent-7-a1b2c3'

export function sample(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: 'CLM-a1b2c3-0001',
    protocol: 'VLP/1.1',
    type: 'claim',
    timestamp: '2025-03-01T09:30:00Z',
    sender: 'agent-7',
    content: 'the booking was found',
    confidence: 0.8,
    ...changes,
  }
}

export function without(...keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sample()).filter(([key]) => !keys.includes(key)))
}

export function check(changes: Readonly<Record<string, unknown>> = {}): MessageCheck {
  return checkMessage(sample(changes), { knownConstraints: [] })
}

export function codes({ issues }: Pick<MessageCheck, 'issues'>): readonly string[] {
  return issues.map(({ code }) => code)
}

/** The code and the pointer of each issue. */
export function places({ issues }: Pick<MessageCheck, 'issues'>): readonly string[] {
  return issues.map(({ code, path }) => `${code} ${path}`)
}

/** A message at that position of the log, with names of the usual form. */
export function placed(
  position: number,
  changes: Readonly<Record<string, unknown>> = {},
  sender = 'agent-7',
): SessionMessage {
  const own = { id: `id-${position}`, sender, session_id: session }
  return { name: nameAt(position, sender), sender, position, check: check({ ...own, ...changes }) }
}

export function nameAt(position: number, sender = 'agent-7'): string {
  return `main.1.vlp.${sender}.${session}.u${position}`
}
