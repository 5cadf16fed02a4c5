// What is pressed. Which of several alike it is stands beside it for those who listen.
import type { ComponentChildren } from 'preact'

const classes = {
  plain: 'button',
  main: 'button button-main',
  grave: 'button button-main button-grave',
  small: 'button button-small',
  smallMain: 'button button-small button-main',
  wide: 'button button-wide',
  text: 'text-button',
} as const

interface ButtonProps {
  readonly is?: keyof typeof classes
  readonly label: ComponentChildren
  /** What it is about, where that is only seen. */
  readonly of?: string
  readonly isOff?: boolean
  /** Absent: it sends the form that it is in. */
  readonly onPress?: (() => void) | undefined
}

export function Button({ is = 'plain', label, of, isOff = false, onPress }: ButtonProps) {
  return (
    <button
      type={onPress === undefined ? 'submit' : 'button'}
      class={classes[is]}
      disabled={isOff}
      onClick={onPress}
    >
      {label}
      {of !== undefined && <span class="unseen"> {of}</span>}
    </button>
  )
}
