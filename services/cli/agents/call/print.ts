// What came of a call, for people: the frame as the agent gets it.
import type { Frame } from '#firewall/frame'
import type { Json } from '#record/canonical'
import { firewallText } from '#present/action/firewall-text'
import { counted, jsonText, utc } from '#present/wording'
import type { CallAnswer, DryRun } from '#client/connect'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'

export function answerLines({ capability, intent, frame, handle }: CallAnswer): readonly Line[] {
  const kept =
    handle === null
      ? []
      : [`  more    warrant expand ${handle.id}`, `  until   ${utc(handle.expiresAt)}`]
  return [
    toned('good', `DONE   ${capability}`),
    ...shownLines(frame),
    `  intent  ${intent}`,
    ...kept.map((line) => toned('dim', line)),
  ]
}

export function shownLines({ facts, table, raw, handle, warnings }: Frame): readonly Line[] {
  return [
    ...(facts ?? []).flatMap((fact) => fact.trimEnd().split('\n')).map((line) => `  ${line}`),
    ...(table === undefined ? [] : rowLines(table)),
    ...(raw === undefined ? [] : [`  ${jsonText(raw)}`]),
    ...(handle === null ? [] : [toned('dim', `  ${counted(handle.rows, 'row')} in all`)]),
    ...warnings.map((warning) => toned('warn', `  ${firewallText(warning)}`)),
  ]
}

export function wouldLines(dry: DryRun): readonly Line[] {
  const { capability, driver, args, constraints, useBy, would, intent } = dry
  return [
    toned('warn', `DRY RUN  ${capability}: nothing was done`),
    `  driver     ${driver}`,
    `  would do   ${jsonText(would)}`,
    `  arguments  ${jsonText(args)}`,
    `  bound to   ${jsonText(constraints)}`,
    `  good until ${utc(useBy)}`,
    `  intent     ${intent}`,
  ]
}

function rowLines(rows: readonly Json[]): readonly Line[] {
  const objects = rows.map((row) => (isObject(row) ? row : { value: row }))
  const head = [...new Set(objects.flatMap((row) => Object.keys(row)))]
  const cells = objects.map((row) => {
    return head.map((name) => (Object.hasOwn(row, name) ? cellText(row[name] ?? null) : ''))
  })
  return head.length === 0 ? [] : tableLines(head, cells)
}

function cellText(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value)
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
