// How a rule is tried: on planted files, which it must report or let pass, and on the tree itself.
// A rule that no longer sees anything must not pass for a tidy tree.
import { expect, test } from 'vitest'
import type { Rule } from './source.ts'
import { readTree } from './tree.ts'

export const tree = readTree()

/** A file, and what the rule says of it; nothing where the file keeps the rule. */
export type Case = readonly [path: string, text: string, says?: string]

export const named = ([path, text, says]: Case) => ({ path, text, says })

export function tries(rule: Rule, cases: readonly Case[]): void {
  test.each(cases.map(named))('$path: $text', ({ path, text, says }) => {
    const found = rule(new Map([[path, text]]))
    if (says === undefined) expect(found).toEqual([])
    else expect(found).toEqual([expect.stringContaining(says)])
  })
}

export function holds(rule: Rule): void {
  test(`${rule.name} holds in the tree`, () => {
    expect(tree.size).toBeGreaterThan(50)
    expect(rule(tree)).toEqual([])
  })
}
