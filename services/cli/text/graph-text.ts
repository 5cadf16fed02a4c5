// The graph as a tree: each primitive, its levels, what they say and how they relate, with the
// rules.
import { levelNames, type GraphFile, type Policy, type Relatum } from '#schemas/graph'
import { counted, jsonText, said } from '#core/story/wording'
import { toned, type Line } from './line.ts'

export function graphLines({ primitives }: GraphFile, revision: number): readonly Line[] {
  const head = toned('dim', `revision ${revision}, ${counted(primitives.length, 'primitive')}`)
  return [head, ...primitives.flatMap(primitiveLines)]
}

function primitiveLines({ name, depths }: GraphFile['primitives'][number]): readonly Line[] {
  return [
    toned('strong', name),
    ...depths.flatMap(({ level, properties, relata }) => [
      `  D${level} ${levelNames[level] ?? ''}`,
      ...Object.entries(properties).map(([key, value]) => `     ${key}: ${valueText(value)}`),
      ...relata.flatMap(relatumLines),
    ]),
  ]
}

function relatumLines({ type, target, targetDepth, policies }: Relatum): readonly Line[] {
  return [
    `     ${type} → ${target} (D${targetDepth})`,
    ...policies.map((policy) => toned('warn', `        rule ${policyText(policy)}`)),
  ]
}

function policyText(policy: Policy): string {
  const { name, requiresConfirmation, callback, triggerCardinality, confirmation } = policy
  const parts = [
    requiresConfirmation ? 'asks a person' : 'asks nobody',
    ...(confirmation === undefined ? [] : [`as ${confirmation} says`]),
    ...(callback === null ? [] : [`checks ${callback}`]),
    ...(triggerCardinality === null ? [] : [`for ${triggerCardinality} things`]),
  ]
  const asked = requiresConfirmation ? `: ${said(policy.confirmationMessage)}` : ''
  return `${name} (${parts.join(', ')})${asked}`
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value)
}
