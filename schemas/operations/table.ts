// All that can be asked, in the order of the documents.
import type { z } from 'zod'
import { agentAsked, agentsAsked } from './agents.ts'
import { conceptsAsked, graphPartsAsked } from './concepts.ts'
import { contractAsked, contractsAsked } from './contracts.ts'
import { attentionAsked, countsAsked, luckAsked, observedCountsAsked } from './counts.ts'
import { faultsAsked } from './faults.ts'
import { factsAsked } from './facts.ts'
import { grantAsked, grantsAsked } from './grants.ts'
import { openIntentsAsked } from './open-intents.ts'
import type { Operation } from './operation.ts'
import { proposalAsked, proposalsAsked } from './proposals.ts'
import { pastReviewsAsked, reviewAsked, reviewsAsked } from './reviews.ts'
import { standingAsked, standingsAsked } from './standings.ts'
import { traceAsked } from './traces.ts'

const table = {
  facts: factsAsked,
  trace: traceAsked,
  contracts: contractsAsked,
  contract: contractAsked,
  agents: agentsAsked,
  agent: agentAsked,
  standings: standingsAsked,
  standing: standingAsked,
  openIntents: openIntentsAsked,
  faults: faultsAsked,
  grants: grantsAsked,
  grant: grantAsked,
  reviews: reviewsAsked,
  review: reviewAsked,
  pastReviews: pastReviewsAsked,
  proposals: proposalsAsked,
  proposal: proposalAsked,
  concepts: conceptsAsked,
  graphParts: graphPartsAsked,
  counts: countsAsked,
  observedCounts: observedCountsAsked,
  luck: luckAsked,
  attention: attentionAsked,
} as const satisfies Readonly<Record<string, Operation>>

export type OperationTable = typeof table
export type OperationName = keyof OperationTable

/** What a caller may give. */
export type OperationInput<Name extends OperationName> = z.input<OperationTable[Name]['input']>
export type OperationAnswer<Name extends OperationName> = z.output<OperationTable[Name]['output']>

export const operations: OperationTable = table

/** What the tool of MCP is called that asks it. */
export function toolNameOf(name: OperationName): string {
  const { path, tool }: Operation = table[name]
  const verb = path.includes('{') ? 'show' : 'list'
  return tool ?? `${verb}_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
}

type Outputs = {
  readonly [Name in OperationName]: { readonly output: z.ZodType<OperationAnswer<Name>> }
}

const outputs: Outputs = table

/** By which an answer is read. */
export function outputOf<Name extends OperationName>(name: Name): z.ZodType<OperationAnswer<Name>> {
  return outputs[name].output
}

function isOperation(text: string): text is OperationName {
  return Object.hasOwn(table, text)
}

export const allOperations: readonly OperationName[] = Object.keys(table).filter(isOperation)

/** Makes the same of each of them. */
export function ofEach<T>(
  make: (of: Operation, name: OperationName) => T,
): Readonly<Record<OperationName, T>> {
  const made: Partial<Record<OperationName, T>> = {}
  for (const name of allOperations) made[name] = make(table[name], name)
  if (hasEach(made)) return made
  throw new Error('each operation of the table is one of its names')
}

function hasEach<T>(made: Partial<Record<OperationName, T>>): made is Record<OperationName, T> {
  return allOperations.every((name) => Object.hasOwn(made, name))
}
