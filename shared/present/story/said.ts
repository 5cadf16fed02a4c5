// How one fact of a story is presented: its title, the details below it, and its tone.
import { said } from '../wording.ts'
import type { StoryStep, StoryTone } from './reported.ts'

export type Phrase = Pick<StoryStep, 'title' | 'details'> & {
  readonly tone?: StoryTone
  readonly void?: string
}

export function plain(title: string, details: readonly string[] = []): Phrase {
  return { title, details }
}

export function good(title: string, details: readonly string[]): Phrase {
  return { title, details, tone: 'good' }
}

export function bad(title: string, details: readonly string[]): Phrase {
  return { title, details, tone: 'bad' }
}

export function noteLines(note: string | undefined): readonly string[] {
  return note === undefined ? [] : [`note: ${said(note)}`]
}
