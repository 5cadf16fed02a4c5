// What is said of one fact of a story: its title, the details below it, and its tone.
import { said } from '../wording.ts'
import type { StoryStep, Tone } from './told.ts'

export type Said = Pick<StoryStep, 'title' | 'details'> & {
  readonly tone?: Tone
  readonly void?: string
}

export function plain(title: string, details: readonly string[] = []): Said {
  return { title, details }
}

export function good(title: string, details: readonly string[]): Said {
  return { title, details, tone: 'good' }
}

export function noteLines(note: string | undefined): readonly string[] {
  return note === undefined ? [] : [`note: ${said(note)}`]
}
