// Moments in the reader's own zone, and clocks that run.
import { duration } from '#present/wording'
import { second } from '../shell/clock.ts'

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const near = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const far = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const dayMs = 86_400_000

export function MomentShown({ at }: { readonly at: string }) {
  const time = Date.parse(at)
  const format = Math.abs(second.value - time) < dayMs / 2 ? near : far
  return (
    <time dateTime={at} title={whole.format(time)}>
      {format.format(time)}
    </time>
  )
}

const soonMs = 120_000
const nearMs = 900_000

/** What is left until then. It turns warm as the end comes near. */
export function Countdown({ until }: { readonly until: string }) {
  const left = Date.parse(until) - second.value
  const tone = left <= 0 ? 'past' : left < soonMs ? 'soon' : left < nearMs ? 'near' : 'far'
  return (
    <time
      class={`countdown countdown-${tone}`}
      dateTime={until}
      title={whole.format(Date.parse(until))}
    >
      {left <= 0 ? '0 s' : duration(left < 60_000 ? Math.floor(left / 1_000) * 1_000 : left)}
    </time>
  )
}

export function Ago({ at }: { readonly at: string }) {
  const gone = Math.max(0, second.value - Date.parse(at))
  return (
    <time dateTime={at} title={whole.format(Date.parse(at))}>
      {duration(Math.floor(gone / 1_000) * 1_000)}
    </time>
  )
}

// A moment to the second, in the reader's own zone; the record's own spelling is in its title.

const exact = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

export function Exact({ at }: { readonly at: string | number }) {
  const time = new Date(at)
  return (
    <time class="exact" dateTime={time.toISOString()} title={time.toISOString()}>
      {exact.format(time)}
    </time>
  )
}
