// Draws what others wrote: as text, with what hides in it marked, and cut with a way to see all.
import { useSignal } from '@preact/signals'
import { hostileText } from '#present/console/hostile-text'
import { labels } from '#present/console/labels'

const usualMax = 2_000
/** So much is added at each step: a browser stalls on a text of any size. */
const stepMax = 20_000

interface HostileProps {
  readonly text: string
  /** How many characters are drawn at first. */
  readonly max?: number
  /** Where there is no room for a button: the rest is in another view. */
  readonly isBrief?: boolean
}

export function Hostile({ text, max = usualMax, isBrief = false }: HostileProps) {
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
        <button type="button" class="text-button" onClick={() => (shown.value += stepMax)}>
          … {labels.more} ({left})
        </button>
      )}
    </bdi>
  )
}
