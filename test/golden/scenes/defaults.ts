// Built-in rules as a catalog sets them: other roles, a tenant by another name, a longer reason that
// a person is asked for, other rows, fields and limits; changed, taken back, and carried over an era.
import { rotate } from '#replay/eras/rotate'
import type { Defaults } from '#schemas/rules/built-in'
import { changeCatalog, keys, type TestSetup } from '../../support/runtime.ts'
import { answer, played, quiet, reason, type Play } from '../play.ts'
import { setup } from './cast.ts'

const defaults: Defaults = {
  rolesFor: { WRITE: ['editor'], MEMORY_WRITE: ['archivist'], MEMORY_SENSITIVE: [] },
  tenantFor: ['SECRETS'],
  tenantAttribute: 'customer',
  justificationFor: ['PII'],
  justificationCharacters: 40,
  fieldsReaders: ['auditor'],
  maxRows: 7,
  limits: { READ: { uses: 2, windowMs: 60_000 } },
}

const argsSchema = { type: 'object' }

export const defaultsSetup = {
  ...setup,
  catalog: {
    ...setup.catalog,
    capabilities: [
      ...setup.catalog.capabilities,
      { id: 'secret', safetyClass: 'READ', sensitivity: 'SECRETS', argsSchema },
      { id: 'person', safetyClass: 'READ', sensitivity: 'PII', allowedFields: ['name'], argsSchema },
    ],
    defaults,
  },
} satisfies TestSetup

export async function defaultRules(play: Play): Promise<void> {
  const asks = (tool: string, more = {}) =>
    played(play, { intent: { tool, args: {}, justification: reason, ...more } })
  await asks('write')
  await asks('remember')
  await asks('recall', { scope: { memory_scope: 'sensitive' } })
  await asks('secret')
  await answer(play, await asks('person'), { note: 'the customer called and wants the address' })
  await answer(play, await asks('person'), { note: 'too short for that' })
  for (let use = 0; use < 3; use += 1) await asks('look', { constraints: { max_rows: 100 } })

  const again: Defaults = { rolesFor: { WRITE: [] }, maxRows: 'unlimited', justificationFor: [] }
  await changeCatalog(play.runtime, { op: 'set', key: 'defaults', value: again })
  await asks('write', { justification: '' })
  await asks('person')
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await asks('write', { constraints: { max_rows: 100 } })
  await changeCatalog(play.runtime, { op: 'set', key: 'defaults', value: {} })
  await asks('write', { justification: '' })
}
