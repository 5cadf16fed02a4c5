// What is said of one fact of a story, and how a fact is read for it.
import type { ContentOf, EventKind } from '#schemas/kinds'
import { readEvent } from '#core/kernel/event'
import type { StoryStep, Told, Tone } from './told.ts'

export type Said = Pick<StoryStep, 'title' | 'details'> & {
  readonly tone?: Tone
  readonly void?: string
}

export function read<K extends EventKind>(
  kind: K,
  fact: Told,
  say: (data: ContentOf<K>) => Said,
): Said {
  const reading = readEvent(kind, fact)
  if (reading.ok) return say(reading.event.data)
  return { ...plain(`A ${kind} that cannot be read`), void: reading.why }
}

export function plain(title: string, details: readonly string[] = []): Said {
  return { title, details }
}

export function good(title: string, details: readonly string[]): Said {
  return { title, details, tone: 'good' }
}
