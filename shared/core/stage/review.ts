// A review: what people are shown, who of them may answer and until when. What is shown is
// digested, and an answer counts for that digest only; nothing in it may differ from run to run.
import type { Ground, Question, ReviewData, Shown } from '#schemas/facts'
import { jsonOf } from '../canonical.ts'
import { confirmationOf } from '../catalog/catalog.ts'
import { eligible, type Confirmers } from '../catalog/confirmers.ts'
import { canonical } from '../canonical.ts'
import { digestOfJson } from '../digest.ts'
import type { Draft } from '../event.ts'
import { nameOf } from '../names.ts'
import { delegatorsOf } from './delegators.ts'
import type { Inputs } from './stage.ts'
import { capabilityOf, type Context, type View } from './view.ts'

const argsShownBytesMax = 65_536

export interface Asked {
  readonly questions: readonly Question[]
  readonly ground: Ground | null
}

/** The review that the judgement calls for; null where too few are there to answer it. */
export function reviewDraft(inputs: Inputs, asked: Asked): Draft<'review'> | null {
  const { view, context, answers } = inputs
  const { intent, opening } = view
  // Nobody is asked about a call that has been made already.
  if (opening.request?.observe === true || intent.grounding === null) return null
  const panel = panelOf(view, context, asked.questions)
  if (panel === null) return null
  const content = contentOf(view, asked)
  const data: ReviewData = {
    callbacks: [...answers],
    confirmation: panel.confirmation,
    confirmers: [...panel.confirmers],
    decideBy: new Date(decideBy(view, panel.decideWithinMs)).toISOString(),
    digest: digestOfContent(content),
    excluded: [...panel.excluded],
    grounding: intent.grounding.name,
    intent: view.ref,
    questions: content.questions,
    quorum: panel.quorum,
    shown: content.shown,
    tier: panel.tier,
    useWithinMs: panel.useWithinMs,
  }
  return { kind: 'review', name: nameOf(view.place, 'review', intent.address), data }
}

/** What people are asked and shown; its digest is what they answer to. */
export function contentOf(view: View, asked: Asked): Pick<ReviewData, 'questions' | 'shown'> {
  return { questions: [...asked.questions], shown: shownOf(view, asked.ground) }
}

export function digestOfContent(content: Pick<ReviewData, 'questions' | 'shown'>): string {
  return digestOfJson(jsonOf({ questions: content.questions, shown: content.shown }))
}

function shownOf(view: View, ground: Ground | null): Shown {
  const { request } = view.opening
  const { agent } = view.ref
  const capability = capabilityOf(view)
  const args = jsonOf(request?.args ?? {})
  const text = canonical(args)
  const tooLarge = Buffer.byteLength(text) > argsShownBytesMax
  return {
    agent,
    args: tooLarge ? { omitted: `${Buffer.byteLength(text)} bytes` } : (request?.args ?? {}),
    argsDigest: digestOfJson(args),
    description: capability?.description ?? '',
    goal: request?.goal ?? null,
    ground: ground === null ? null : digestOfJson(jsonOf(ground)),
    justification: request?.justification ?? null,
    owner: view.catalog.principals.get(agent)?.owner ?? null,
    safetyClass: capability?.safetyClass ?? '',
    tool: request?.tool ?? '',
  }
}

function decideBy(view: View, decideWithinMs: number): number {
  const last = view.now + decideWithinMs
  const { replyBy } = view.opening.request ?? {}
  return replyBy === undefined ? last : Math.min(last, Date.parse(replyBy))
}

interface Panel extends Confirmers {
  readonly confirmation: string | null
}

/**
 * Who answers; null where too few may. Where the questions name several confirmations, the answer
 * must satisfy each: the confirmers are those whom all of them allow, the quorum is the largest,
 * the deadlines are the shortest. The owner's word never stands in for the group's, nor theirs for
 * the owner's, so questions of both tiers have nobody who may answer all of them.
 */
export function panelOf(
  view: View,
  context: Context,
  questions: readonly Question[],
): Panel | null {
  const named = new Set(questions.map(({ confirmation }) => confirmation))
  const { agent } = view.ref
  const delegators = delegatorsOf(view, context)
  let panel: Panel | null = null
  for (const id of named) {
    const confirmation = confirmationOf(view.catalog, id)
    const found = confirmation && eligible(view.catalog, { agent, confirmation, delegators })
    if (found === null) return null
    const next = { ...found, confirmation: id ?? null }
    if (panel !== null && panel.tier !== next.tier) return null
    panel = panel === null ? next : both(panel, next)
  }
  return panel !== null && panel.confirmers.length >= panel.quorum ? panel : null
}

function both(a: Panel, b: Panel): Panel {
  return {
    ...a,
    confirmers: a.confirmers.filter((id) => b.confirmers.includes(id)),
    excluded: [...new Set([...a.excluded, ...b.excluded])],
    quorum: Math.max(a.quorum, b.quorum),
    decideWithinMs: Math.min(a.decideWithinMs, b.decideWithinMs),
    useWithinMs: Math.min(a.useWithinMs, b.useWithinMs),
  }
}
