// What came with version 7 of the rules for values: texts that are not wholly what a condition reads
// them as, patterns that take linear time, and numbers that a double cannot hold.
import { newestRules } from '#rules/catalog/rules-version'
import type { Json } from '#record/canonical'
import type { TestSetup } from '../../../support/runtime.ts'
import { played, type Play } from '../../play.ts'

const denied = (id: string, when: string) => ({
  id,
  safetyClass: 'READ' as const,
  argsSchema: { type: 'object' },
  conditions: [{ name: 'limit', when, effect: 'deny' as const }],
})

const named = { type: 'string', pattern: '^(a|aa)+$' }

export const exactSetup = {
  catalog: {
    capabilities: [
      denied('pay', 'double(args.amount) > 1000.0'),
      denied('count', 'int(args.n) > 16'),
      denied('book', "timestamp(args.at) > timestamp('2026-03-01T00:00:00Z')"),
      denied('wait', "duration(args.for) > duration('1h')"),
      denied('agree', 'bool(args.yes)'),
      { id: 'name', safetyClass: 'READ', argsSchema: { type: 'object', properties: { s: named } } },
      { id: 'plain', safetyClass: 'READ', argsSchema: { type: 'object' } },
    ],
    budgets: [
      { name: 'counted', of: 'double(args.of)', when: 'has(args.of)', max: 100, windowMs: 3_600_000 },
    ],
    rules: newestRules,
  },
} satisfies TestSetup

const asked: readonly (readonly [string, string, readonly Json[]])[] = [
  ['pay', 'amount', ['999.5', '1e4', ' 5', '5,000.00', '$5000', 'NaN', '', 12, null, true]],
  ['count', 'n', ['16', '17', '-1', '0x10', '1.0', '9223372036854775808', '']],
  ['book', 'at', ['2026-02-28T23:00:00Z', '2026-03-02T00:00:00+01:00', '2026-02-30T00:00:00Z', '2']],
  ['wait', 'for', ['90s', '1h1s', '1h ', '5 minutes', '', '1']],
  ['agree', 'yes', ['true', 'false', 'yes', 'TRUE', '']],
  ['name', 's', ['aaa', `${'a'.repeat(60)}!`, '']],
  ['plain', 'of', ['60', '50', '60x', ' 1']],
]

export async function exact(play: Play): Promise<void> {
  for (const [tool, arg, values] of asked) {
    for (const value of values) await played(play, { intent: { tool, args: { [arg]: value } } })
  }
  // A number keeps its digits only as a text, at any depth; what a double holds is a number.
  for (const digits of ['9007199254740993', '9007199254740992', '0.1', '1e400', '12345678901234567.5']) {
    const written = (json: string): string => json.replace('"DIGITS"', digits)
    await played(play, { written, intent: { tool: 'plain', args: { id: 'DIGITS' } } })
    await played(play, { written, intent: { tool: 'plain', args: { of: [{ id: 'DIGITS' }] } } })
  }
  await played(play, { intent: { tool: 'plain', args: { id: '9007199254740993' } } })
}
