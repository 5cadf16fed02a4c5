// A sentence of a story, in which names stand between backticks: they are set apart by their type.
// Each piece is drawn as text that others wrote.
import { Hostile } from '../drawing/hostile.tsx'

interface MarkedTextProps {
  readonly text: string
  readonly max: number
}

const named = /`([^`\n]{1,200})`/

export function MarkedText({ text, max }: MarkedTextProps) {
  if (text.length > max) return <Hostile text={text} max={max} />
  // What is captured stands at the odd places.
  return (
    <>
      {text.split(named).map((piece, place) => {
        if (piece === '') return null
        const drawn = <Hostile text={piece} max={max} />
        return place % 2 === 1 ? <span class="named">{drawn}</span> : drawn
      })}
    </>
  )
}
