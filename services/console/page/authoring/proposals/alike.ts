// Which open questions look alike: they ask for the same of names that are a few keystrokes apart,
// or that one of them lists as what the other may be. People see them together; each is ruled on
// by itself.
import { caseFold } from '#record/case-fold'
import { nearest } from '#record/quote'
import type { Template } from '#schemas/learning'
import type { OpenQuestion } from './question.ts'

/** Only what is filled in alike can be answered alike: levels of one primitive. */
function asked({ template }: { readonly template: Template }): string | null {
  if (template.kind !== 'EXISTENCE' && template.kind !== 'DEPTH') return null
  return `${template.kind} ${template.levels.join(' ')}`
}

function nameOf(template: Template): string {
  return 'primitive' in template ? template.primitive : ''
}

function areNear(one: Template, other: Template): boolean {
  const [name, second] = [nameOf(one), nameOf(other)]
  if (nearest([name], second).length > 0) return true
  const [longer, shorter] = [caseFold(name), caseFold(second)].toSorted(
    (a, b) => b.length - a.length,
  )
  // A plural, or one word of several.
  return (shorter ?? '').length > 2 && (longer ?? '').split(/[\s_-]+/).includes(shorter ?? '')
}

/** Groups of two or more, in the order in which they were asked. */
export function alikeIn(open: readonly OpenQuestion[]): readonly (readonly OpenQuestion[])[] {
  const groups: OpenQuestion[][] = []
  for (const one of open) {
    const wanted = asked(one.data)
    if (wanted === null || one.state === 'agreed') continue
    const group = groups.find((all) => {
      return all.some(({ data: { template } }) => {
        return asked({ template }) === wanted && areNear(template, one.data.template)
      })
    })
    if (group === undefined) groups.push([one])
    else group.push(one)
  }
  return groups.filter((group) => group.length > 1)
}
