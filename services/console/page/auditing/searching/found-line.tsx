// One fact that was found: what it says, when, and the values by which one narrows the search.
import { useEffect, useRef } from 'preact/hooks'
import { kindText, type FoundFact } from '#present/auditing/found-text'
import { Hostile } from '../../drawing/hostile.tsx'
import { Exact } from '../exact.tsx'
import { MarkedText } from '../marked-text.tsx'
import { Pick } from './pick.tsx'
import { linkToFact } from './search-state.ts'

const phraseMax = 220

interface FoundLineProps {
  readonly fact: FoundFact
  readonly isHere: boolean
}

export function FoundLine({ fact, isHere }: FoundLineProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isHere) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isHere])
  return (
    <li ref={row} class={`marked found-row found-${fact.tone}${isHere ? ' found-here' : ''}`}>
      <p class="found-head">
        <Pick filter={{ name: 'kind', value: fact.kind }} text={kindText(fact.kind)} />
        <Exact at={fact.at} />
        <span class="found-position">{fact.moment}</span>
      </p>
      <a
        class="found-link"
        href={linkToFact(fact.moment)}
        aria-current={isHere ? 'true' : undefined}
      >
        <Phrase text={fact.phrase} />
      </a>
      <p class="bunch below">
        {fact.filters.map((filter) => (
          <Pick filter={filter} max={40} />
        ))}
      </p>
    </li>
  )
}

// A line has no room for a button that shows the rest.
function Phrase({ text }: { readonly text: string }) {
  const isLong = text.length > phraseMax
  return isLong ? (
    <Hostile text={text} max={phraseMax} isBrief />
  ) : (
    <MarkedText text={text} max={phraseMax} />
  )
}
