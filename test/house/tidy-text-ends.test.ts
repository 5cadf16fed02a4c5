// No text is searched for its end from the beginning, tried on planted expressions first.
import { describe } from 'vitest'
import { endsFromTheEnd } from './tidy/text-ends.ts'
import { holds, tries } from './tidy/tried.ts'

describe('what a text ends with', () => {
  tries(endsFromTheEnd, [
    ['shared/rules/a.ts', String.raw`text.replace(/0+$/, '')`, 'withoutEnd'],
    ['shared/rules/a.ts', String.raw`text.replace(/[.\]]*$/u, '')`, 'withoutEnd'],
    ['shared/rules/a.ts', String.raw`text.replaceAll(/^\s+|[\s.]+$/g, '')`, 'withoutEnd'],
    ['services/a.ts', String.raw`/(\p{L}+)$/u.exec(text)`, 'withoutEnd'],
    ['shared/rules/a.ts', String.raw`/^0+$/.test(text)`],
    ['shared/rules/a.ts', String.raw`/a:[0-9]+$/.test(text)`],
    ['shared/rules/a.ts', String.raw`/^(?:a|b+)$/.test(text)`],
    ['shared/rules/a.ts', String.raw`/[.!?]$/.test(text)`],
    ['test/a.ts', String.raw`text.replace(/0+$/, '')`],
  ])
  holds(endsFromTheEnd)
})
