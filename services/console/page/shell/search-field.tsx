// The field by which a list is searched; its label is for those who do not see the list.
import type { Signal } from '@preact/signals'

export interface SearchFieldOf {
  readonly label: string
  readonly typed: Signal<string>
}

export function SearchField({ label, typed }: SearchFieldOf) {
  return (
    <label class="search">
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
    </label>
  )
}
