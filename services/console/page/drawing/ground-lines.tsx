// What had to be known, how deeply it is, and what is missing, as a grounding found it.
import { groundingDetails } from '#present/story/knowledge'
import type { Ground } from '#schemas/facts'
import { Hostile } from './hostile.tsx'

export function GroundLines({ ground }: { readonly ground: Ground }) {
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
