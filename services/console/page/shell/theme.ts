// Light or dark: as the system has it, or as the person chose for this browser.
import { effect, signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const kept = 'warrant.theme'

function isTheme(text: string | null): text is Theme {
  return themes.some((theme) => theme === text)
}

function keptTheme(): Theme {
  const text = window.localStorage.getItem(kept)
  return isTheme(text) ? text : 'system'
}

export const theme = signal<Theme>(keptTheme())

export function startTheme(): void {
  effect(() => {
    if (theme.value === 'system') {
      window.localStorage.removeItem(kept)
      delete document.documentElement.dataset['theme']
    } else {
      window.localStorage.setItem(kept, theme.value)
      document.documentElement.dataset['theme'] = theme.value
    }
  })
}
