// The page of the built-in rules, written from their values: what each needs, of what, with which
// reason it refuses, and how a catalog sets it.
import type { ReasonCode } from '#schemas/reasons'
import { builtInRules, type BuiltInRules, type Defaults } from '#schemas/rules/built-in'
import { pageOf, paragraph } from './page.ts'

export interface RuleRow {
  /** Its place in `defaults`. */
  readonly key: string
  readonly appliesTo: string
  readonly value: string
  /** Null where it refuses nothing. */
  readonly reason: ReasonCode | null
  readonly means: string
  /** What sets it to something else. */
  readonly example: Defaults
}

const { tenantFor, justificationFor, fieldsFor, fieldsReaders, serviceRoles } = builtInRules

/** In the order of the page. */
export const ruleRows: readonly RuleRow[] = [
  roleRow('READ', 'missing_role', 'READ tools', 'reader'),
  roleRow('WRITE', 'missing_role', 'WRITE tools', 'editor'),
  roleRow('DESTRUCTIVE', 'missing_role', 'DESTRUCTIVE tools', 'deployer'),
  roleRow('SECRETS', 'missing_role', 'SECRETS tools', 'vault'),
  roleRow('MEMORY_WRITE', 'memory_write_requires_writer', 'MEMORY writes', 'archivist'),
  roleRow('MEMORY_SENSITIVE', 'memory_sensitive_read_denied', 'MEMORY reads', 'archivist'),
  {
    key: 'tenantFor',
    appliesTo: 'these sensitivities',
    value: listText(tenantFor),
    reason: 'missing_tenant_attribute',
    means: 'The agent needs the attribute that `tenantAttribute` names.',
    example: { tenantFor: [] },
  },
  {
    key: 'tenantAttribute',
    appliesTo: toolsOf(tenantFor),
    value: `\`${builtInRules.tenantAttribute}\``,
    reason: 'missing_tenant_attribute',
    means: 'The attribute of the agent that says for which tenant it works.',
    example: { tenantAttribute: 'customer' },
  },
  {
    key: 'justificationFor',
    appliesTo: 'these classes, sensitivities',
    value: listText(justificationFor),
    reason: 'insufficient_justification',
    means:
      'The intent needs a justification. Where that is all it lacks, the owner is asked for one.',
    example: { justificationFor: ['DESTRUCTIVE', 'PII'] },
  },
  {
    key: 'justificationCharacters',
    appliesTo: 'each justification',
    value: String(builtInRules.justificationCharacters),
    reason: 'insufficient_justification',
    means: 'How many characters it has at least, without spaces at its ends.',
    example: { justificationCharacters: 30 },
  },
  {
    key: 'fieldsFor',
    appliesTo: 'these sensitivities',
    value: listText(fieldsFor),
    reason: null,
    means: 'An allow is bound to the `allowedFields` of the tool, where it lists any.',
    example: { fieldsFor: ['PII', 'PCI', 'SECRETS'] },
  },
  {
    key: 'fieldsReaders',
    appliesTo: toolsOf(fieldsFor),
    value: listText(fieldsReaders),
    reason: null,
    means: 'Agents with one of these roles get all fields.',
    example: { fieldsReaders: [...fieldsReaders, 'auditor'] },
  },
  {
    key: 'maxRows',
    appliesTo: 'every tool',
    value: String(builtInRules.maxRows),
    reason: null,
    means: 'An allow is bound to `max_rows`: this, or fewer where the intent asks for fewer.',
    example: { maxRows: 'unlimited' },
  },
  {
    key: 'serviceMaxRows',
    appliesTo: 'service agents',
    value: String(builtInRules.serviceMaxRows),
    reason: null,
    means: 'The same for agents with a service role.',
    example: { serviceMaxRows: 1000 },
  },
  limitRow('READ', 600),
  limitRow('WRITE', 30),
  limitRow('DESTRUCTIVE', 1),
  {
    key: 'serviceFactor',
    appliesTo: 'service agents',
    value: String(builtInRules.serviceFactor),
    reason: 'rate_limited',
    means: 'Their limits are so many times as high, also those that the catalog sets.',
    example: { serviceFactor: 1 },
  },
  {
    key: 'serviceRoles',
    appliesTo: 'service agents',
    value: listText(serviceRoles),
    reason: null,
    means: 'Agents with one of these roles are service agents.',
    example: { serviceRoles: [...serviceRoles, 'batch'] },
  },
]

function roleRow(
  what: keyof BuiltInRules['rolesFor'],
  reason: ReasonCode,
  appliesTo: string,
  role: string,
): RuleRow {
  const roles = builtInRules.rolesFor[what]
  const means =
    what === 'MEMORY_SENSITIVE'
      ? 'The agent needs one of these roles to read with the scope `"memory_scope":"sensitive"`.'
      : 'The agent needs one of these roles.'
  const example = { rolesFor: { [what]: [role] } }
  return { key: `rolesFor.${what}`, appliesTo, value: listText(roles), reason, means, example }
}

function limitRow(of: keyof BuiltInRules['limits'], uses: number): RuleRow {
  const { uses: usual, windowMs } = builtInRules.limits[of]
  return {
    key: `limits.${of}`,
    appliesTo: `${of} tools`,
    value: `${usual} in ${windowMs / 1000} s`,
    reason: 'rate_limited',
    means:
      'So often an agent may use one tool. An entry in `limits` of the catalog goes before it.',
    example: { limits: { [of]: { uses, windowMs } } },
  }
}

function listText(list: readonly string[]): string {
  return list.length === 0 ? 'none' : list.map((one) => `\`${one}\``).join(', ')
}

function toolsOf(what: readonly string[]): string {
  return `${what.join(' and ')} tools`
}

const begin = [
  '# Built-in rules',
  'For authors of rules: what is built in.',
  '<!-- Generated from schemas/rules by `npm run schemas`. Do not edit. -->',
  'These rules hold in every catalog that does not set them otherwise. A catalog sets them ' +
    'in its `defaults`; what is not named there stays as it is here. A list that is set ' +
    'replaces the whole list. Only an empty list, or `"unlimited"`, switches a rule off.',
]

const setting = [
  '## Set a rule',
  'In `catalog.json` of a seed folder, beside `capabilities`, and then `warrant apply FOLDER`:',
  '```json\n{ "defaults": { "rolesFor": { "DESTRUCTIVE": ["deployer"] }, "tenantFor": [] } }\n```',
  'What a file no longer has goes with `warrant apply FOLDER --prune`. `warrant plan FOLDER` ' +
    'shows which verdicts would change, and `warrant catalog show` what is set.',
]

const fixed = [
  '## What no catalog sets',
  [
    'The role `policy-admin` signs change sets and ends eras; `curator` may rule on proposals; ' +
      '`era-keeper` ends eras that are due, where `rotation` says when.',
    'People are asked by the confirmation that a tool, a condition or a policy names. ' +
      'Without one it is the owner of the agent, with 15 minutes to decide and 5 to use it.',
    'An agent that is not in the catalog is refused, and so is a tool that is not.',
    'A tool without `argsSchema` takes no arguments.',
  ]
    .map(listItem)
    .join('\n'),
]

export function rulesPage(): string {
  const texts = begin.map((text) => (text.startsWith('<') ? text : paragraph(text)))
  const how = setting.map((text) => (text.startsWith('`') ? text : paragraph(text)))
  return pageOf([...texts, table(), '## What each does', rules(), ...how, ...fixed])
}

function table(): string {
  const rows = ruleRows.map(({ key, appliesTo, value, reason }) => {
    return `| \`${key}\` | ${appliesTo} | ${value} | ${reason === null ? '' : `\`${reason}\``} |`
  })
  const head = '| Rule in `defaults` | Applies to | Value | Refuses with |'
  return [head, '|---|---|---|---|', ...rows].join('\n')
}

function rules(): string {
  return ruleRows
    .flatMap(({ key, means, example }) => {
      const written = `"defaults": ${JSON.stringify(example)}`
      return [listItem(`\`${key}\`: ${means}`), '', `      ${written}`, '']
    })
    .join('\n')
    .trimEnd()
}

function listItem(text: string): string {
  return `- ${paragraph(text).replaceAll('\n', '\n  ')}`
}
