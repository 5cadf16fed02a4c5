// What a person sees of a held intent before what it lacks is added, and whether anyone saw that of
// one that goes on: what changes something and no one saw is asked about.
import type { Capability } from '#schemas/catalog'
import { jsonOf, type Json } from '#record/canonical'
import { digestOfJson } from '#record/digest'
import type { Opening } from '#messages/opening'
import { capabilityOf, type View } from './view.ts'

/** What is released: the digest that a ruling signs is of these three. */
export interface Released {
  readonly tool: string
  readonly safetyClass: Capability['safetyClass']
  readonly args: Json
}

/** Null where the catalog knows no such capability: that is refused anyway. */
export function releasedBy(capability: Capability | null, { request }: Opening): Released | null {
  if (capability === null || request === null) return null
  const { id: tool, safetyClass } = capability
  return { tool, safetyClass, args: jsonOf(request.args) }
}

export function releaseDigest({ tool, safetyClass, args }: Released): string {
  return digestOfJson({ args, class: safetyClass, tool })
}

/** Whether it was held and goes on, may change something, and no ruling lists it as it is. */
export function isUnseen(view: View): boolean {
  const { attempt, shown } = view.intent
  if (attempt === 1) return false
  const released = releasedBy(capabilityOf(view), view.opening)
  if (released === null || released.safetyClass === 'READ') return false
  return shown !== releaseDigest(released)
}
