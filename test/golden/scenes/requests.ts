// Requests that end without a person: one for each reason that refuses at once, and some that are
// allowed.
import type { Json } from '#record/canonical'
import { played, reason, type Play, type Saying } from '../play.ts'

const asks = (tool: string, fields: Readonly<Record<string, Json>> = {}): Saying => ({
  intent: { tool, ...fields },
})

/** Each is refused for what its line says, and perhaps for more. */
const refusedAtOnce: readonly (readonly [string, Saying])[] = [
  ['malformed_message', { intent: { tool: 5 } }],
  ['sender_mismatch', { ...asks('look'), message: { sender: 'honest' } }],
  ['unknown_agent', { ...asks('look'), as: 'ghost' }],
  ['message_blocked', { ...asks('look'), message: { safety: { level: 'block', issues: [] } } }],
  ['context_gate_failed', { ...asks('look'), message: { constraints: ['a', 'b', 'c', 'd'] } }],
  ['agent_suspended', { ...asks('look'), as: 'stopped' }],
  ['unknown_capability', asks('nowhere')],
  ['invalid_arguments', asks('count', { args: { count: 'two' } })],
  ['invalid_arguments', asks('count', { args: { count: 2, twice: true } })],
  ['missing_role', { ...asks('write', { justification: reason }), as: 'honest' }],
  ['missing_tenant_attribute', asks('profile')],
  ['memory_write_requires_writer', asks('remember', { justification: reason })],
  ['memory_sensitive_read_denied', asks('recall', { scope: { memory_scope: 'sensitive' } })],
  ['invalid_constraint', asks('look', { constraints: { max_rows: 1.5 } })],
  ['ungrounded', asks('look', { concepts: ['moon'] })],
  ['policy_faulted', asks('smash')],
  ['policy_blocked', asks('burn', { args: { count: 3 } })],
  ['insufficient_justification', { ...asks('write', { justification: 'short' }), as: 'honest' }],
  ['no_confirmer', asks('shred')],
]

export async function requests(play: Play): Promise<void> {
  await played(play, asks('look', { args: { path: 'a' } }))
  await played(play, { ...asks('look', { observe: true }) })
  await played(play, asks('burn', { args: { count: 1 }, constraints: { max_rows: 3 } }))
  for (const [, saying] of refusedAtOnce) await played(play, saying)
  await played(play, asks('rare'))
  await played(play, asks('rare'))
}
