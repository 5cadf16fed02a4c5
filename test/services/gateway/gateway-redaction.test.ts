// What a capability has taken out of its results, as an agent gets them over HTTP; and that the log
// has no more than before.
import { expect, test } from 'vitest'
import { textOfUtf8 } from '#platform/bytes'
import { allowedFor, httpStand, mintedOver, present } from './http-stand.ts'

const row = { id: 1, mail: 'ann@example.com', note: 'password=hunter22' }
const mark = '[REDACTED]'

test.each([
  [undefined, { id: 1, mail: mark, note: `password=${mark}` }],
  ['all' as const, { id: 1, mail: mark, note: `password=${mark}` }],
  ['secrets' as const, { id: 1, mail: 'ann@example.com', note: `password=${mark}` }],
  ['none' as const, row],
])(
  'with `redact: %s` an agent gets what that leaves, and the log has no more',
  async (redact, left) => {
    const all = await httpStand({ tool: () => [row], ...(redact && { redact }) })
    const intent = await allowedFor(all)
    const token = await mintedOver(all, intent)
    const answer = await present(all, token, { intent, mode: 'table' })
    expect(await answer.json()).toMatchObject({ frame: { table: [left] } })
    const facts: string[] = []
    for await (const fact of all.on.log.read({})) facts.push(textOfUtf8(fact.bytes))
    expect(facts.join('\n')).toContain(intent)
    expect(facts.join('\n')).not.toMatch(/ann@example\.com|hunter22/)
  },
)
