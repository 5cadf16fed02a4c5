// What had to be known for a request, how deeply it is, and what is missing: as the grounding found
// it when it was asked.
import { groundingDetails } from '#present/story/knowledge'
import type { Ground } from '#schemas/facts'
import { Hostile } from '../drawing/hostile.tsx'

export function CardKnowledge({ ground }: { readonly ground: Ground }) {
  return (
    <ul>
      {groundingDetails(ground).map((line) => (
        <li>
          <Hostile text={line} max={300} />
        </li>
      ))}
    </ul>
  )
}
