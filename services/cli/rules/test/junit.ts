// Test cases as JUnit XML, which build servers read. One suite for each file of cases.
import type { TriedCase } from './run-cases.ts'

const second = 1_000

export function junitText(tried: readonly TriedCase[]): string {
  const suites = new Map<string, TriedCase[]>()
  for (const one of tried) suites.set(one.file, [...(suites.get(one.file) ?? []), one])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(tried)}>`,
    ...[...suites].flatMap(([file, cases]) => [
      `  <testsuite name=${quoted(file)} ${counts(cases)}>`,
      ...cases.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function counts(tried: readonly TriedCase[]): string {
  const failures = tried.filter(({ differences }) => differences.length > 0).length
  const ms = tried.reduce((sum, one) => sum + one.ms, 0)
  return `tests="${tried.length}" failures="${failures}" errors="0" time="${seconds(ms)}"`
}

function caseLines({ file, name, differences, ms }: TriedCase): readonly string[] {
  const open = `    <testcase name=${quoted(name)} classname=${quoted(file)} time="${seconds(ms)}"`
  const [first] = differences
  if (first === undefined) return [`${open}/>`]
  const text = escaped(differences.join('\n'))
  return [
    `${open}>`,
    `      <failure message=${quoted(first)}>${text}</failure>`,
    '    </testcase>',
  ]
}

function seconds(ms: number): string {
  return (ms / second).toFixed(3)
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('\n', '&#10;')}"`
}

// XML has no control characters, not even escaped.
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

function escaped(text: string): string {
  return text
    .replaceAll(forbidden, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
