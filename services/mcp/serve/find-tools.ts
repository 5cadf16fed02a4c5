// Questions that look for something in the log: the facts that a filter means, page by page.
import { z } from 'zod'
import { partsInRealm, type Place } from '#record/names'
import type { Fact, LogReader } from '#ports/log'
import { phraseOf } from '#present/story/sentences'
import { counted, utc } from '#present/wording'
import { positionSince } from '#runtime/logs/seek'
import {
  expiredFactsMax,
  forgedAmong,
  weighingOn,
  type ForgedAllows,
} from '#replay/verdicts/forged'
import { VlpIssueCode } from '#schemas/vlp'
import { intentsAsked, type IntentsAsked } from '#client/reading/asked-for'
import { readContentOf } from '#client/reading/fact-shown'
import { meaning, patternsFor, startOf, type FindOptions } from '#client/reading/found'
import { refuseUnknownNames } from '#client/reading/known-names'
import { refusePattern } from '#client/reading/names-meant'
import { whereIn } from '#client/reading/where'
import type { AskedLog } from './asked-log.ts'
import { answerBytesMax, auditTool, type AuditAnswer, type AuditQuestion } from './audit-tool.ts'
import { withinBounds, type CutShort } from './bounds.ts'
import { FilterFields, meantIn } from './filter-fields.ts'
import { untrustedValue } from './untrusted.ts'

const pageMax = 200
const pageDefault = 25
/** What is beside the facts in an answer has room too. */
const pageBytesMax = answerBytesMax / 2

export const findFacts = auditTool({
  name: 'find_facts',
  title: 'Find facts',
  description:
    'Find what the log has: messages (kind vlp, which ask for a tool), verdicts, reviews, ' +
    'decisions of people, outcomes and all other facts. Filters hold together. The newest come ' +
    'first, page by page: ask again with `cursor` set to `next` for more.',
  input: z.strictObject({
    ...FilterFields,
    name: z
      .string()
      .max(512)
      .optional()
      .describe('names without realm and era, such as `verdict.>` or `vlp.my-agent.*.*`'),
    issue: VlpIssueCode.optional().describe('only groundings of messages with that VLP issue'),
    where: z
      .string()
      .max(2_000)
      .optional()
      .describe(
        'a condition in CEL over position, time, name, kind, agent, tool, outcome, reasons and ' +
          'data (what the fact says), such as `kind == "verdict" && size(reasons) > 1`',
      ),
    order: z.enum(['newest', 'oldest']).default('newest'),
    cursor: z.int().min(0).optional().describe('the `next` of the page before'),
    limit: z.int().min(1).max(pageMax).default(pageDefault),
    content: z.boolean().default(false).describe('with all that each fact says, not only a line'),
  }),
  figures: {
    head: z.int().describe('the last position of the log'),
    next: z.int().nullable().describe('the cursor of the next page; null where this is the last'),
    cut: z.enum(['time', 'facts']).nullable().describe('why it looked no further on this page'),
    unclear: z.int().describe('for so many facts `where` could not be worked out'),
  },
  async answer(question, given) {
    const { asked } = question
    const { order, limit, content, cursor, name, where: condition } = given
    const place = asked.place()
    const where = condition === undefined ? null : whereIn(condition)
    if (name !== undefined) refusePattern(name, place.realm)
    const options: FindOptions = {
      ...meantIn(given, asked.clock.now()),
      ...(name !== undefined && { name }),
      ...(given.issue !== undefined && { issue: given.issue }),
    }
    const { log, follower } = asked
    const known = { log: withinBounds(log, question.remaining), place }
    await refuseUnknownNames(options, follower.state.catalog, [known])
    const of = { log, place, asked: intentsAsked(log, place) }
    const isMeant = meaning(of, options, where)
    const { position: head } = await log.head()
    const page = newPage(limit)
    const looking = { ...of, options, isMeant, page, question }
    const left =
      order === 'oldest'
        ? await forwards(looking, { from: cursor ?? 1, head })
        : await backwards(looking, { to: Math.min(cursor ?? head, head) })
    const allows = await allowsOf(question, page.facts)
    const figures = { head, unclear: where?.failed.count ?? 0 }
    return pageShown(asked, { ...left, page, place, of: of.asked, content, allows }, figures)
  },
})

interface Page {
  readonly facts: Fact[]
  readonly limit: number
}

interface Looking {
  readonly log: LogReader
  readonly place: Place
  readonly options: FindOptions
  readonly isMeant: (fact: Fact) => Promise<boolean>
  readonly page: Page
  readonly question: AuditQuestion
}

/** What was not looked at. */
interface Left {
  readonly next: number | null
  readonly cut: CutShort['why'] | null
}

function newPage(limit: number): Page {
  return { facts: [], limit }
}

async function forwards(
  looking: Looking,
  { from, head }: { readonly from: number; readonly head: number },
): Promise<Left> {
  const { log, place, options, page, question } = looking
  const start = Math.max(from, await startOf({ log, place }, options))
  const names = patternsFor(place, options)
  for await (const fact of log.read({ from: start, to: head }, names)) {
    const cut = question.remaining.ended()
    if (cut !== null) return { next: fact.position, cut }
    question.remaining.count()
    if (!(await looking.isMeant(fact))) continue
    if (page.facts.length === page.limit) return { next: fact.position, cut: null }
    page.facts.push(fact)
  }
  return { next: null, cut: null }
}

const windowFirst = 1_024
const windowMax = 65_536

/** A log is read forwards: so what is before is read piece by piece, each larger than the last. */
async function backwards(looking: Looking, { to: end }: { readonly to: number }): Promise<Left> {
  const { log, place, options, page, question } = looking
  const first = await startOf({ log, place }, options)
  const names = patternsFor(place, options)
  let to = await lastOfTime(looking, end)
  for (let size = windowFirst; to >= first; size = Math.min(size * 2, windowMax)) {
    const from = Math.max(first, to - size + 1)
    const found: Fact[] = []
    for await (const fact of log.read({ from, to }, names)) {
      const cut = question.remaining.ended()
      // Of a piece that is not whole the newest are not known: it is read again.
      if (cut !== null) return { next: to, cut }
      question.remaining.count()
      if (await looking.isMeant(fact)) found.push(fact)
    }
    for (const fact of found.toReversed()) {
      if (page.facts.length === page.limit) return { next: fact.position, cut: null }
      page.facts.push(fact)
    }
    to = from - 1
  }
  return { next: null, cut: null }
}

/** In the first era times only grow, so what is later than `until` need not be read. */
async function lastOfTime({ log, place, options }: Looking, end: number): Promise<number> {
  const { until } = options
  if (until === undefined || place.era > 1) return end
  return Math.min(end, (await positionSince(log, place, until + 1)) - 1)
}

/** Derived again by one fold of the log, as far as `warrant log` folds it. */
async function allowsOf(
  { asked, remaining }: AuditQuestion,
  facts: readonly Fact[],
): Promise<ForgedAllows> {
  const { clock, stages } = asked
  const log = withinBounds(asked.log, remaining)
  const expired = { factsMax: expiredFactsMax, now: () => clock.now() }
  // Only a tool that declares it runs code of the log.
  const deciders = { stages, callbacks: null }
  return forgedAmong(weighingOn(log, asked.place(), { ...deciders, expired }), facts)
}

interface ShownPage extends Left {
  readonly page: Page
  readonly place: Place
  readonly of: IntentsAsked
  readonly content: boolean
  readonly allows: ForgedAllows
}

async function pageShown(
  asked: AskedLog,
  { page, place, of, content, allows, next: left, cut }: ShownPage,
  figures: { readonly head: number; readonly unclear: number },
): Promise<AuditAnswer> {
  const facts: unknown[] = []
  const lines: string[] = []
  let bytes = 0
  let next = left
  for (const fact of page.facts) {
    const shown = await factShown(asked, fact, { place, of, content, allows })
    const size = Buffer.byteLength(JSON.stringify(shown.value))
    const isFull = bytes + size > pageBytesMax
    if (isFull && facts.length > 0) {
      next = fact.position
      break
    }
    bytes += size
    facts.push(isFull ? shown.short : shown.value)
    lines.push(shown.line)
  }
  const more = next === null ? 'There are no more.' : `For more: cursor ${next}.`
  const cutText = cut === null ? [] : [`It looked no further for now (${cut}).`]
  const { left: asRecorded } = allows
  const leftText =
    asRecorded === 0 ? [] : [`${counted(asRecorded, 'allow')} as recorded: trace them to be sure.`]
  return {
    said: [`${counted(facts.length, 'fact')}. ${more}`, ...cutText, ...leftText],
    lines,
    figures: { ...figures, next, cut },
    recorded: { facts },
  }
}

async function factShown(
  asked: AskedLog,
  fact: Fact,
  { place, of, content, allows }: Pick<ShownPage, 'place' | 'of' | 'content' | 'allows'>,
) {
  const { position, appendedAt, name } = fact
  const about = await of.of(fact)
  const why = allows.why.get(name)
  const says = phraseOf(fact, place.realm, why)
  const short = {
    position,
    time: new Date(appendedAt).toISOString(),
    name,
    kind: partsInRealm(name, place.realm)?.kind ?? null,
    ...(about !== null && { agent: about.agent, tool: about.tool }),
    ...(why !== undefined && { void: why }),
    says,
  }
  // It is redacted once more with the answer, which changes nothing of it.
  const said = content ? untrustedValue(readContentOf(fact.bytes), asked) : null
  return {
    short: { ...short, ...(content && { cut: 'read the resource of the fact' }) },
    value: content ? { ...short, fact: said } : short,
    line: `${position}  ${utc(appendedAt)}  ${name}  ${says}`,
  }
}
