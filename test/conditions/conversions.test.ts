// What a text is converted to, compared with what cel-go says of the same texts. Where cel-go
// takes more than CEL defines, it is refused here, and each such kind is written down.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  boolOf,
  doubleOf,
  durationOf,
  intOf,
  timestampOf,
  type Instant,
} from '#conditions/conversions'
import { casts, textsOf, type Cast } from './cel-go/texts.ts'

const Answer = z.strictObject({
  cast: z.enum(casts),
  text: z.string(),
  value: z.string().nullable(),
})
const file = join(import.meta.dirname, 'cel-go/answers.ndjson')
const answers = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => Answer.parse(JSON.parse(line)))

const nanosOf = ({ seconds, nanos }: Instant): bigint => seconds * 1_000_000_000n + BigInt(nanos)

const converted: Readonly<Record<Cast, (text: string) => bigint | number | boolean>> = {
  int: intOf,
  double: doubleOf,
  bool: boolOf,
  timestamp: (text) => nanosOf(timestampOf(text)),
  duration: (text) => nanosOf(durationOf(text)),
}

/** What cel-go reads with the literals of Go, which CEL does not have. */
const beyondCel: Readonly<Record<Cast, RegExp | null>> = {
  int: null,
  // What is not a number, or not a finite one; hexadecimal floats, and underscores between digits.
  double: /^[+-]?(?:nan|inf|infinity|0x.*|[0-9]+_[0-9]+)$/i,
  // The tests of CEL's definition know `t` and `f` in lower case alone.
  bool: /^[TF]$/,
  timestamp: null,
  duration: null,
}

function ours(cast: Cast, text: string): bigint | number | boolean | null {
  try {
    return converted[cast](text)
  } catch {
    return null
  }
}

function theirs(cast: Cast, value: string): bigint | number | boolean {
  if (cast === 'bool') return value === 'true'
  if (cast === 'double') return Number(value)
  if (cast !== 'timestamp') return BigInt(value)
  const [seconds = '', nanos = ''] = value.split('.')
  return nanosOf({ seconds: BigInt(seconds), nanos: Number(nanos) })
}

test.each(casts)('%s reads each text as cel-go does, or refuses what CEL does not have', (cast) => {
  const asked = answers.filter((one) => one.cast === cast)
  expect(asked.map(({ text }) => text)).toEqual(textsOf(cast))
  expect(asked.length).toBeGreaterThan(400)
  for (const { text, value } of asked) {
    const isBeyond = value !== null && beyondCel[cast]?.test(text) === true
    const wanted = value === null || isBeyond ? null : theirs(cast, value)
    expect({ text, value: ours(cast, text) }).toEqual({ text, value: wanted })
  }
})
