// What tests of learning share: an agent that may wait, and a person who says what is known.
import { readEvent } from '#record/event'
import type { OpenProposal } from '#messages/learning/learning'
import { nameOf } from '#record/names'
import type { Ruling } from '#runtime/learning/rule'
import type { ResumeData } from '#schemas/facts'
import type { ContentOf } from '#schemas/contents'
import type { EventKind } from '#schemas/kinds'
import type { GraphOperation } from '#schemas/graph'
import type { Candidate, ProposalData, Template } from '#schemas/learning'
import type { z } from 'zod'
import { keys } from './runtime.ts'
import { bound, deletion, erase, look, place, type Scene } from './scene.ts'

export const learnable = {
  catalog: {
    capabilities: [look, erase],
    learning: true,
    principals: [{ id: 'stopped', suspended: true }],
  },
  graph: deletion(),
}

/** Waits until that holds of what is folded. */
export async function folded(on: Scene, holds: () => boolean): Promise<void> {
  const { follower } = on.runtime
  if (holds()) return
  await new Promise<void>((resolve) => {
    const stop = follower.listen(() => {
      if (!holds()) return
      stop()
      resolve()
    })
  })
}

/** Waits until so many proposals are open, and gives them in the order they were made. */
export async function proposals(on: Scene, count: number): Promise<readonly OpenProposal[]> {
  const open = () => [...on.runtime.follower.state.learning.open.values()]
  await folded(on, () => open().length >= count)
  return open()
}

/** The one that is open, as soon as one is. */
export async function proposed(on: Scene): Promise<OpenProposal> {
  const [first] = await proposals(on, 1)
  if (first === undefined) throw new Error('one is open by now')
  return first
}

export function proposalOf(on: Scene, id: string): Promise<ProposalData> {
  return read(on, 'proposal', nameOf(place, 'proposal', id))
}

export function resumeOf(
  on: Scene,
  address: string,
  attempt = 1,
): Promise<z.infer<typeof ResumeData>> {
  return read(on, 'resume', nameOf(place, 'resume', address, attempt))
}

export async function read<K extends EventKind>(
  on: Scene,
  kind: K,
  name: string,
): Promise<ContentOf<K>> {
  const reading = readEvent(kind, await bound(on.log, name))
  if (!reading.ok) throw new Error(reading.why)
  return reading.event.data
}

/** What makes the moon known, by anyone who may change the graph. */
export const moonKnown: readonly GraphOperation[] = [
  { op: 'add', name: 'moon' },
  { op: 'describe', name: 'moon', level: 0, properties: { what: 'it is there' } },
  { op: 'describe', name: 'moon', level: 1, properties: { what: 'a satellite' } },
]

/** One that is signed with a key file. */
type KeyRuling = Extract<Ruling, { readonly privateKey: string }>

/** By the policy admin, unless another confirmer is given. */
export async function ruled(
  on: Scene,
  proposal: string,
  given: Partial<KeyRuling> & Pick<Ruling, 'ruling'>,
): Promise<void> {
  const by = { confirmer: 'root', privateKey: keys.root }
  await on.bot.rule({ proposal, ...by, ...given })
}

/** Answers all that is asked for, as the policy admin unless another confirmer is given. */
export function teach(
  on: Scene,
  { id, data }: OpenProposal,
  given: Partial<KeyRuling> = {},
): Promise<void> {
  return ruled(on, id, { ruling: 'modified', candidate: filling(data.template), ...given })
}

/** Whatever levels a template asks for, each saying something. */
export function filling(template: Template): Candidate {
  if (!('levels' in template)) return { levels: [], edge: null }
  const { primitive, levels } = template
  const said = levels.map((level) => ({ level, properties: { what: `level ${level}` } }))
  return { levels: [{ name: primitive, levels: said }], edge: null }
}
