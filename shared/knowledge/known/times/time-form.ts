// A time as it is compared: `2024-05-20 13:00`, or a day alone.
const shape = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?Z?)?$/

export function timeForm(text: string): string | null {
  const [, day, hour, minute] = shape.exec(text.trim()) ?? []
  if (day === undefined || Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return null
  if (hour === undefined || minute === undefined) return day
  return Number(hour) < 24 && Number(minute) < 60 ? `${day} ${hour}:${minute}` : null
}

/** Whether it stands in a text as programs write it. */
export function isTimeIn(form: string, text: string): boolean {
  return text.replaceAll(/(?<=\d)T(?=\d)/g, ' ').includes(form)
}
