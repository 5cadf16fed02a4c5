// Links to one intent, each to a way of looking at it.
import { filtersIn, queryOfFilters } from '#present/auditing/filters'
import { linkTo, place } from '../../shell/address.ts'

export const storyTabs = ['timeline', 'graph', 'why', 'derive'] as const
export type StoryTab = (typeof storyTabs)[number]

/** Otherwise looked at; the moment, and the filters by which one came, stay as they are. */
export function linkToIntent(
  intent: string,
  tab: StoryTab,
  more: Readonly<Record<string, string>> = {},
): string {
  const at = place.value.query.get('at')
  const query = { ...queryOfFilters(filtersIn(place.value.query)), ...(at !== undefined && { at }) }
  return linkTo(['intents', intent, ...(tab === 'timeline' ? [] : [tab])], { ...query, ...more })
}
