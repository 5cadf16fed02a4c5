// What a change of the graph or the catalog would have done to all that was asked. It reads the log
// only so far as one question may, and says where it ended. Nothing of it is ever bound.
import { z } from 'zod'
import { Fault } from '#record/fault'
import { firstProblem } from '#record/problem'
import { counted } from '#present/wording'
import { checkedCatalog, checkedGraph } from '#authoring/change-check'
import type { AskedThen } from '#replay/what-if/asked-then'
import { whatIfHistory } from '#replay/what-if/history'
import { CatalogOperation, JsonObject } from '#schemas/catalog'
import { GraphOperation } from '#schemas/graph'
import { meantIn } from '#operations/finding/filter'
import { intentFilters } from '#schemas/operations/facts'
import { newSummary, summarise, whatIfJson } from '#client/what-turned'
import { auditTool, type AuditQuestion } from './audit-tool.ts'
import { endingInBounds } from './bounds.ts'

const operationsMax = 500
const intentsMax = 10_000
const listedMax = 50

export const whatIfChanged = auditTool({
  name: 'what_if',
  title: 'What a change would have done',
  description:
    'Derive recorded intents again, once by the graph and catalog of now and once by a change of ' +
    'them, and show which would come out differently and how often people would be asked. It ' +
    'reads the log from its beginning and says where it was cut short. Nothing is changed.',
  callsCallbacks: true,
  input: z.strictObject({
    ...intentFilters,
    graph: z
      .array(JsonObject)
      .max(operationsMax)
      .default([])
      .describe('operations on the graph, as `warrant graph diff --json` prints them'),
    catalog: z
      .array(JsonObject)
      .max(operationsMax)
      .default([])
      .describe('operations on the catalog, as `warrant catalog diff --json` prints them'),
    intents: z.int().min(1).max(intentsMax).default(2_000).describe('at most so many are derived'),
  }),
  figures: {
    tried: z.int().describe('intents that were derived'),
    flips: z.int().describe('how many would come out differently'),
    unable: z.int(),
    unsure: z.int().describe('of so many it cannot be known'),
    cut: z
      .enum(['time', 'facts', 'intents'])
      .nullable()
      .describe('why it ended before the end of the log; null where it did not'),
    after: z.int().nullable().describe('the last position that it looked at, where it was cut'),
  },
  async answer(question, given) {
    const { asked } = question
    await asked.caughtUp()
    const { tried, unable, unsure, cut, after, flips, turned } = await turnedBy(question, given)
    const where = cut === null ? 'All that is meant was looked at.' : cutTexts[cut]
    const at = after === null ? '' : ` It looked up to position ${after}.`
    const { flips: all, turns, ...rest } = turned
    return {
      said: [`${flips} of ${counted(tried, 'intent')} would come out differently.`, where + at],
      lines: turns.slice(0, listedMax).map(({ from, to, why, count, example }) => {
        return `${count} × ${from} → ${to}: ${why} (such as ${example})`
      }),
      figures: { tried, flips, unable, unsure, cut, after },
      recorded: { ...rest, turns: turns.slice(0, listedMax), flips: all.slice(0, listedMax) },
    }
  },
})

const cutTexts = {
  time: 'It was cut short: it took as long as one call may.',
  facts: 'It was cut short: it read as many facts as one call may.',
  intents:
    'It was cut short: so many intents were derived as were asked for; give a later `since`.',
} as const

type WhatIfGiven = Parameters<typeof meantIn>[0] & {
  readonly graph: readonly JsonObject[]
  readonly catalog: readonly JsonObject[]
  readonly intents: number
}

async function turnedBy({ asked, remaining }: AuditQuestion, given: WhatIfGiven) {
  const { follower, rootKey, stages, callbacks, clock } = asked
  const begun = clock.now()
  const meant = meantIn(given, begun)
  const { graph, catalog } = follower.state
  const after = {
    graph:
      given.graph.length === 0 ? graph : checkedGraph(graph, read(GraphOperation, given.graph)),
    catalog:
      given.catalog.length === 0
        ? catalog
        : checkedCatalog(catalog, read(CatalogOperation, given.catalog)),
  }
  let wanted = 0
  const log = endingInBounds(asked.log, {
    count: () => remaining.count(),
    ended: () => (wanted > given.intents ? 'intents' : remaining.ended()),
  })
  const isWanted = (of: AskedThen): boolean => {
    if (!isMeant(of, meant)) return false
    wanted += 1
    return wanted <= given.intents
  }
  const summary = newSummary()
  const before = { graph, catalog }
  const place = asked.place()
  const history = { log, place, rootKey, stages, callbacks, before, after, wanted: isWanted }
  const report = await whatIfHistory(history, (intent) => summarise(summary, intent))
  const ending = log.cut()
  const { tried, unable, unsure } = report
  return {
    tried,
    unable,
    unsure,
    flips: summary.flips.length,
    cut: ending?.why ?? null,
    after: ending?.after ?? null,
    turned: whatIfJson({ ...report, ...summary, ms: clock.now() - begun }),
  }
}

function isMeant(
  { agent, tool, appendedAt }: AskedThen,
  { since, until, agent: agents, tool: tools }: ReturnType<typeof meantIn>,
): boolean {
  if (since !== undefined && appendedAt < since) return false
  if (until !== undefined && appendedAt > until) return false
  if (agents?.includes(agent) === false) return false
  return tools === undefined || (tool !== null && tools.includes(tool))
}

function read<T>(schema: z.ZodType<T>, operations: readonly JsonObject[]): readonly T[] {
  return operations.map((operation, index) => {
    const reading = schema.safeParse(operation)
    if (reading.success) return reading.data
    const { at, message } = firstProblem(reading.error.issues)
    const where = `operation ${index + 1}${at === '' ? '' : ` at ${at}`}`
    throw new Fault('operation_invalid', `${where}: ${message}`)
  })
}
