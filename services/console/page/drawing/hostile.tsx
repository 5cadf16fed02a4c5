// Draws what others wrote: as text, with what hides in it marked, and cut with a way to see all.
import { useSignal } from '@preact/signals'
import { h, type JSX } from 'preact'
import { hostileText, sentencePieces } from '#present/console/hostile-text'
import { labels } from '#present/console/labels'
import { Button } from './button.tsx'
import { Exact } from './moment.tsx'

const usualMax = 2_000
/** So much is added at each step: a browser stalls on a text of any size. */
const stepMax = 20_000

/** What runs or styles takes no words of others. */
type HostileTag = Exclude<keyof JSX.IntrinsicElements, 'script' | 'style'>

interface HostileProps {
  readonly text: string
  /** How many characters are drawn at first. */
  readonly max?: number
  /** Where there is no room for a button: the rest is in another view. */
  readonly isBrief?: boolean
  /** The element that has it alone. */
  readonly in?: HostileTag
  /** Of that element, as the next. */
  readonly class?: string
  readonly href?: string
}

export function Hostile({ in: around, class: name, href, ...text }: HostileProps) {
  const drawn = <Pieces {...text} />
  return around === undefined ? drawn : h(around, { class: name, href }, drawn)
}

function Pieces({ text, max = usualMax, isBrief = false }: HostileProps) {
  const shown = useSignal(max)
  const { pieces, characters, drawn } = hostileText(text, shown.value)
  const left = characters - drawn
  return (
    <bdi class="hostile">
      {pieces.map(({ kind, text: piece }) => {
        if (kind === 'plain') return piece
        const title = kind === 'hidden' ? labels.hiddenCharacter : labels.mixedAlphabets
        return (
          <mark class={`piece-${kind}`} title={title}>
            {piece}
          </mark>
        )
      })}
      {left > 0 && isBrief && '…'}
      {left > 0 && !isBrief && (
        <Button
          is="text"
          label={`… ${labels.more} (${left})`}
          onPress={() => (shown.value += stepMax)}
        />
      )}
    </bdi>
  )
}

// A sentence of a story, in which names stand between backticks: they are set apart by their type.
// Each piece is drawn as text that others wrote, but moments, which are in the reader's own zone as
// all others of the page.

interface MarkedTextProps {
  readonly text: string
  readonly max: number
}

export function MarkedText({ text, max }: MarkedTextProps) {
  if (text.length > max) return <Hostile text={text} max={max} />
  return (
    <>
      {sentencePieces(text).map(({ kind, text: piece }) => {
        if (kind === 'moment') return <Exact at={piece} />
        const drawn = <Hostile text={piece} max={max} />
        return kind === 'named' ? <span class="named">{drawn}</span> : drawn
      })}
    </>
  )
}
