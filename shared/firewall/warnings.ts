// What a reader learns of a result that is not whole: what was done to it, and where.
export type FirewallWarningCode =
  | 'chars'
  | 'depth'
  | 'field_dropped'
  | 'field_redacted'
  | 'mode'
  | 'rows'

export interface FirewallWarning {
  readonly code: FirewallWarningCode
  /** JSON pointer into the value; keys in it are as they are shown. */
  readonly path: string
}

/** By path, then by code, each once. */
export function warningsInOrder(warnings: readonly FirewallWarning[]): readonly FirewallWarning[] {
  const sorted = warnings.toSorted((one, other) => {
    return compared(one.path, other.path) || compared(one.code, other.code)
  })
  return sorted.filter(({ code, path }, index) => {
    const before = sorted[index - 1]
    return before === undefined || before.path !== path || before.code !== code
  })
}

function compared(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
