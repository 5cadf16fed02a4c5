// What a capability lets agents see of its results: the one place that every door asks.
import type { Redaction } from '#schemas/action/driver'
import type { Capability } from '#schemas/catalog'
import type { ValueKind } from '#schemas/values'

export interface ShownKinds {
  readonly reveal: readonly ValueKind[]
  readonly redaction: Redaction
}

export function shownKinds({ reveal, redact }: Pick<Capability, 'redact' | 'reveal'>): ShownKinds {
  return { reveal: reveal ?? [], redaction: redact ?? 'all' }
}
