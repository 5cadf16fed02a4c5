// A list of any length, of which only the rows near the screen are drawn. Each row has the same
// height, so that the place of a row is known before it is drawn.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface LongListProps {
  readonly count: number
  readonly rowHeight: number
  readonly label: string
  readonly row: (index: number) => ComponentChildren
  /** Is called with the last row that is on the screen. */
  readonly onReach: (index: number) => void
}

const besideScreen = 6

export function LongList({ count, rowHeight, label, row, onReach }: LongListProps) {
  const list = useRef<HTMLElement>(null)
  const first = useSignal(0)
  const onScreen = useSignal(Math.ceil(window.innerHeight / rowHeight))
  useEffect(() => {
    const { current } = list
    if (current === null) return
    const measure = (): void => {
      first.value = Math.floor(current.scrollTop / rowHeight)
      onScreen.value = Math.ceil(current.clientHeight / rowHeight)
    }
    const watch = new ResizeObserver(measure)
    watch.observe(current)
    current.addEventListener('scroll', measure, { passive: true })
    return () => {
      watch.disconnect()
      current.removeEventListener('scroll', measure)
    }
  }, [])
  const from = Math.max(0, first.value - besideScreen)
  const to = Math.min(count, first.value + onScreen.value + besideScreen)
  useEffect(() => onReach(to), [to, count])
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
  // A browser without rules of style in the page sets heights by its object model alone.
  return (
    <section ref={list} class="scroll long-list" aria-label={label}>
      <div class="long-list-all" style={{ height: `${count * rowHeight}px` }}>
        <ul class="long-list-rows" style={{ transform: `translateY(${from * rowHeight}px)` }}>
          {indexes.map((index) => (
            <li
              key={index}
              style={{ height: `${rowHeight}px` }}
              aria-setsize={count}
              aria-posinset={index + 1}
            >
              {row(index)}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
