// What an allow is bound to, in words: one sentence for each constraint that rules write, and those
// of an agent, which no rule knows, as they are.
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

/** One sentence for each constraint, in the order of their names. */
export function constraintTexts(constraints: JsonMap): readonly string[] {
  const keys = Object.keys(constraints).toSorted()
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

/** The same as a line; none where nothing binds. */
export function boundTexts(constraints: JsonMap, lead = 'bound to'): readonly string[] {
  const isBound = Object.keys(constraints).length > 0
  return isBound ? [`${lead}: ${constraintsText(constraints)}`] : []
}
