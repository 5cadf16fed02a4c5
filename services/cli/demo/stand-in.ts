// A backend that stands in for the recorded one: each call is answered as it was then, and each
// execution is counted. It can be reached through the gateway alone.
import type { LocalTool } from '#client/connect'
import type { Capability, CatalogOperation, JsonValue } from '#schemas/catalog'

export interface RecordedAnswer {
  readonly error: boolean
  readonly value: JsonValue
}

export interface StandIn {
  readonly tool: LocalTool
  /** What the call with that idempotency key answers. */
  expect(key: string, answer: RecordedAnswer): void
  /** How often each call was executed, by its idempotency key. */
  readonly executions: ReadonlyMap<string, number>
}

export function standIn(): StandIn {
  const answers = new Map<string, RecordedAnswer>()
  const executions = new Map<string, number>()
  return {
    executions,
    expect: (key, answer) => answers.set(key, answer),
    tool(_args, { key }) {
      executions.set(key, (executions.get(key) ?? 0) + 1)
      const answer = answers.get(key)
      if (answer === undefined) throw new Error('not expected')
      if (answer.error) throw new Error(textOf(answer))
      return answer.value
    },
  }
}

/** Puts each capability behind the gateway, in the log of this run alone. */
export function withStandIn(capabilities: Iterable<Capability>): readonly CatalogOperation[] {
  return [...capabilities].map((one) => {
    const entry = { ...one, driver: { kind: 'local' as const, operation: one.id } }
    return { op: 'put', collection: 'capabilities', entry }
  })
}

function textOf({ value }: RecordedAnswer): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
