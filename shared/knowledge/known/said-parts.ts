// What a message makes known: its sender's own word, or the result of a tool less what others can
// have written there. A result that does not name its tool and its call makes nothing known.
import type { UntrustedPart } from '#schemas/values'
import { digestsIn, type SaidDigests } from './digests.ts'
import { lower } from './edges.ts'
import { isPointer, leavesBelow, membersOf, nodesAt, tokensOf, type Node } from './pointer.ts'

/** A message that counts, where it stands in the log. */
export interface SaidMessage {
  readonly name: string
  readonly sender: string
  /** As they came: texts, or JSON of any shape. */
  readonly content: unknown
  readonly payload: unknown
  /** Whether its sender is believed for what is asked; else nothing of it makes a value known. */
  readonly counts: boolean
}

/** A text or number of a message, and where it stands in it. */
export interface Leaf {
  readonly pointer: string
  readonly text: string
}

export interface SaidParts {
  readonly message: SaidMessage
  /** Of a result: the tool that it is of. */
  readonly tool: string | null
  /** What the call was given; null where the message is no result. */
  readonly args: object | null
  readonly trusted: readonly Leaf[]
  readonly untrusted: readonly Leaf[]
  /** Of a result whose sender is not believed here: what no one else can have written in it. */
  readonly listed?: readonly Leaf[]
  /** Of a result that came without its value: what it held. */
  readonly digests?: SaidDigests
}

export interface Distrust {
  /** What is untrusted in the results of that tool; null where its results make nothing known. */
  readonly untrusted: (tool: string) => readonly UntrustedPart[] | null
  /** The attributes of the agent and of its owner. */
  readonly own: readonly string[]
  /** Whether results of that tool come without their values, by a gateway. */
  readonly isDriven: (tool: string) => boolean
}

/** Where a result stands in its message. */
export const resultPointer = '/payload/value'

/** Null where nothing of it counts for anything. */
export function saidPartsOf(message: SaidMessage, distrust: Distrust): SaidParts | null {
  const { content, payload, counts } = message
  const members = new Map(membersOf(payload))
  if (!members.has('tool')) {
    const said = [
      ...leavesBelow({ pointer: '/content', value: content }),
      ...leavesBelow({ pointer: '/payload', value: payload }),
    ]
    const [trusted, untrusted] = counts ? [said, []] : [[], said]
    return { message, tool: null, args: null, trusted, untrusted }
  }
  return partsOfResult(message, members, distrust)
}

function partsOfResult(
  message: SaidMessage,
  payload: ReadonlyMap<string, unknown>,
  { untrusted, own, isDriven }: Distrust,
): SaidParts | null {
  const [tool, args, error] = [payload.get('tool'), payload.get('args'), payload.get('error')]
  const value = payload.get('value')
  if (typeof tool !== 'string') return null
  // Without its arguments no one can know what it only repeats, and a failure is no result.
  if (typeof args !== 'object' || args === null || (error !== undefined && error !== false)) {
    return null
  }
  const parts = message.counts ? untrusted(tool) : null
  if (value === undefined) {
    const digests = isDriven(tool) ? digestsIn(Object.fromEntries(payload), parts) : null
    return digests && { message, tool, args, trusted: [], untrusted: [], digests }
  }
  const also = pointersIn(payload.get('untrusted'))
  const leaves = leavesOfResult(value, { parts, also, own, args })
  if (message.counts) return { message, tool, args, ...leaves }
  const { trusted: listed } = leavesOfResult(value, { parts: untrusted(tool), also, own, args })
  return { message, tool, args, ...leaves, listed }
}

/** What others can have written in a result: parts of it, or null where that is not known. */
export interface ResultDistrust {
  readonly parts: readonly UntrustedPart[] | null
  readonly also: readonly string[] | null
  readonly own: readonly string[]
  /** What the call was given. */
  readonly args: unknown
}

/** The texts and numbers of a result, with pointers as they stand in its message. */
export function leavesOfResult(
  value: unknown,
  { parts, also, own, args }: ResultDistrust,
): Pick<SaidParts, 'trusted' | 'untrusted'> {
  const whole = { pointer: resultPointer, value }
  if (parts === null || also === null) return { trusted: [], untrusted: [...leavesBelow(whole)] }
  const doubted = new Set<string>()
  const nodes = new Map<string, Node>()
  const doubt = (node: Node): void => {
    doubted.add(`${whole.pointer}${node.pointer}`)
    nodes.set(node.pointer, node)
  }
  for (const { pointer, when } of parts) {
    for (const node of nodesAt(value, tokensOf(pointer))) {
      if (when === undefined || isMet(when, node, { own, args })) doubt(node)
    }
  }
  for (const pointer of also) for (const node of nodesAt(value, tokensOf(pointer))) doubt(node)
  const trusted = [...leavesBelow(whole, doubted)]
  const below = [...nodes.values()].flatMap((node) => [
    ...leavesBelow({ pointer: `${whole.pointer}${node.pointer}`, value: node.value }),
  ])
  return { trusted, untrusted: below }
}

/** What a result itself says is untrusted; null where that cannot be read. */
function pointersIn(named: unknown): readonly string[] | null {
  if (named === undefined) return []
  return Array.isArray(named) && named.every(isPointer) ? named : null
}

type Condition = NonNullable<UntrustedPart['when']>

// What is not there, or is no text, cannot show that it is anything but untrusted.
function isMet(
  when: Condition,
  { value, parent }: Node,
  { own, args }: Pick<ResultDistrust, 'own' | 'args'>,
): boolean {
  const { field, arg } = when
  const looked =
    arg !== undefined
      ? nodesAt(args, tokensOf(arg))[0]?.value
      : field === undefined
        ? value
        : memberOf(parent, field)
  if (typeof looked !== 'string') return true
  if (when.in !== undefined) return when.in.includes(looked)
  if (when.notIn !== undefined) return !when.notIn.includes(looked)
  if (when.startsWith !== undefined) return looked.startsWith(when.startsWith)
  return !own.some((one) => lower(one) === lower(looked))
}

function memberOf(parent: unknown, field: string): unknown {
  return membersOf(parent).find(([name]) => name === field)?.[1]
}
