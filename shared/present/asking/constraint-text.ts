// What an allow is bound to, in words: one sentence for each constraint that rules write, and those
// of an agent, which no rule knows, as they are.
import { builtInRules } from '#schemas/rules/built-in'
import { canonical, type Json, type JsonMap } from '#record/canonical'
import { listed, quoted, short } from '#record/quote'

const sentences: Readonly<Record<string, (value: Json) => string | null>> = {
  max_rows: (value) =>
    typeof value === 'number'
      ? `at most ${value} ${value === 1 ? 'row' : 'rows'} of its result`
      : null,
  allowed_fields(value) {
    if (!Array.isArray(value)) return null
    const fields = value.filter((field) => typeof field === 'string')
    if (fields.length < value.length) return null
    return fields.length === 0
      ? 'no field of its result'
      : `only the fields ${listed(fields, 'and')}`
  },
}

/** Of what no rule knows. */
const charactersMax = 200

/** What a call that sends or changes something is bound to as well, though it returns no rows. */
const unasked: readonly (Json | undefined)[] = [builtInRules.maxRows, builtInRules.serviceMaxRows]

/**
 * One sentence for each constraint, in the order of their names. The usual number of rows, which no
 * one has written, is left out for a tool that is not there to read.
 */
export function constraintTexts(
  constraints: JsonMap,
  safetyClass: string | null = 'READ',
): readonly string[] {
  const keys = Object.keys(constraints)
    .filter((key) => {
      return safetyClass === 'READ' || key !== 'max_rows' || !unasked.includes(constraints[key])
    })
    .toSorted()
  return keys.map((key) => {
    const value = constraints[key] ?? null
    const sentence = Object.hasOwn(sentences, key) ? sentences[key]?.(value) : null
    return sentence ?? `${quoted(key)}: ${short(canonical(value), charactersMax)}`
  })
}

/** All of them on a line. */
export function constraintsText(constraints: JsonMap): string {
  const texts = constraintTexts(constraints)
  return texts.length === 0 ? 'nothing' : texts.join('; ')
}

/** The same as a line, for a tool of that class if it is known; none where nothing binds. */
export function boundTexts(
  constraints: JsonMap,
  safetyClass: string | null,
  lead = 'bound to',
): readonly string[] {
  const texts = constraintTexts(constraints, safetyClass)
  return texts.length === 0 ? [] : [`${lead}: ${texts.join('; ')}`]
}
