// A moment to the second, in the reader's own zone; the record's own spelling is in its title.
const format = new Intl.DateTimeFormat(undefined, {
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
      {format.format(time)}
    </time>
  )
}
