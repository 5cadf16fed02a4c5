// The local time of a time zone, by tables that are a part of the rules: an engine brings its own,
// which change with its version, and a decision must come to the same on any. A record of a table
// has the names of the zone, its offsets in minutes, which of them it had one after the other, the
// minutes from one change to the next since 2000 to the base of 36, and the rule that holds since.
import { firstZones2026f } from './zones/first-2026f.ts'
import { secondZones2026f } from './zones/second-2026f.ts'

interface Zone {
  /** When it changed, in milliseconds since 1970. */
  readonly changes: readonly number[]
  /** In minutes east of UTC: one more than there are changes. */
  readonly offsets: readonly number[]
  /** What holds after the last change. */
  readonly since: Rule
}

/** Offsets in minutes; summer time begins and ends on such days, so long after midnight. */
interface Rule {
  readonly winter: number
  readonly summer: { readonly offset: number; readonly from: Turn; readonly to: Turn } | null
}

interface Turn {
  /** Of the month, from 1; the fifth week is the last. */
  readonly month: number
  readonly week: number
  readonly weekday: number
  readonly minutes: number
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const firstMs = Date.UTC(2000, 0, 1)

let records: ReadonlyMap<string, string> | undefined
const zones = new Map<string, Zone>()

/** Whether the zone is known: an IANA name, `UTC`, or an offset such as `+02:00`. */
export function isZone(name: string): boolean {
  return fixedOffset(name) !== null || recordOf(name) !== undefined
}

export function zoneNames(): Iterable<string> {
  return (records ??= readRecords()).keys()
}

/**
 * Minutes east of UTC at the moment, in milliseconds since 1970; null for an unknown zone, and for
 * moments before 2000, which the tables leave out.
 */
export function offsetAt(name: string, at: number): number | null {
  // No fixed offset is the name of a zone, and a zone is at hand after the first time.
  const zone = zones.get(name)
  const fixed = zone === undefined ? fixedOffset(name) : null
  return fixed ?? offsetIn(zone ?? zoneOf(name), at)
}

function offsetIn(zone: Zone | null, at: number): number | null {
  if (zone === null || at < firstMs) return null
  const { changes, offsets, since } = zone
  const last = changes.at(-1)
  if (last === undefined || at >= last) return byRule(since, at)
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((changes[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return offsets[low] ?? null
}

const offsetPattern = /^(?<sign>[+-]?)(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d)$/

function fixedOffset(name: string): number | null {
  if (name === 'UTC') return 0
  const parts = offsetPattern.exec(name)?.groups
  if (parts === undefined) return null
  const minutes = Number(parts['hours']) * 60 + Number(parts['minutes'])
  return parts['sign'] === '-' ? -minutes : minutes
}

function byRule(rule: Rule, at: number): number {
  const { winter, summer } = rule
  if (summer === null) return winter
  const { from, to } = turnsOf(rule, summer, new Date(at + winter * minuteMs).getUTCFullYear())
  const isSummer = from < to ? at >= from && at < to : at >= from || at < to
  return isSummer ? summer.offset : winter
}

interface Turns {
  readonly year: number
  readonly from: number
  readonly to: number
}

/** Those of the year that was asked about last. */
const turns = new WeakMap<Rule, Turns>()

function turnsOf(rule: Rule, summer: NonNullable<Rule['summer']>, year: number): Turns {
  const known = turns.get(rule)
  if (known?.year === year) return known
  const from = turnIn(year, summer.from) - rule.winter * minuteMs
  const to = turnIn(year, summer.to) - summer.offset * minuteMs
  const found = { year, from, to }
  turns.set(rule, found)
  return found
}

/** As if it were UTC. */
function turnIn(year: number, { month, week, weekday, minutes }: Turn): number {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  let day = 1 + ((weekday - first + 7) % 7) + (week - 1) * 7
  while (day > length) day -= 7
  return Date.UTC(year, month - 1, day) + minutes * minuteMs
}

function recordOf(name: string): string | undefined {
  return (records ??= readRecords()).get(name)
}

function readRecords(): ReadonlyMap<string, string> {
  const byName = new Map<string, string>()
  for (const table of [firstZones2026f, secondZones2026f]) {
    for (const record of table.replaceAll('\n', '').split(';')) {
      const [names = ''] = record.split('|', 1)
      for (const name of names.split('~')) byName.set(name, record)
    }
  }
  return byName
}

function zoneOf(name: string): Zone | null {
  const known = zones.get(name)
  if (known !== undefined) return known
  const record = recordOf(name)
  if (record === undefined) return null
  const zone = readZone(record)
  zones.set(name, zone)
  return zone
}

function readZone(record: string): Zone {
  const [, given = '', order = '', gaps = '', since = ''] = record.split('|')
  const offsets = given.split(',').map(Number)
  const changes: number[] = []
  let at = firstMs
  for (const gap of gaps.split('~')) {
    if (gap === '') continue
    at += Number.parseInt(gap, 36) * minuteMs
    changes.push(at)
  }
  return {
    changes,
    offsets: Array.from(order, (digit) => offsets[Number.parseInt(digit, 36)] ?? 0),
    since: readRule(since),
  }
}

function readRule(written: string): Rule {
  const [winter = '0', offset, from = '', fromMinutes, to = '', toMinutes] = written.split(',')
  if (offset === undefined) return { winter: Number(winter), summer: null }
  return {
    winter: Number(winter),
    summer: {
      offset: Number(offset),
      from: readTurn(from, Number(fromMinutes)),
      to: readTurn(to, Number(toMinutes)),
    },
  }
}

function readTurn(written: string, minutes: number): Turn {
  const [month = 0, week = 0, weekday = 0] = written.split('.').map(Number)
  return { month, week, weekday, minutes }
}

/** The local wall clock at the moment, as a date whose UTC parts are the local ones; or null. */
export function localDate(at: number, zone: string): Date | null {
  const offset = offsetAt(zone, at)
  return offset === null ? null : new Date(at + offset * minuteMs)
}

/** From 0 on the first of January. */
export function dayOfYear(local: Date): number {
  const first = Date.UTC(local.getUTCFullYear(), 0, 1)
  return Math.floor((local.getTime() - first) / dayMs)
}
