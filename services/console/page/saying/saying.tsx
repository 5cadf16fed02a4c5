// What a person may say beside their answers, on the page about themselves.
import { person } from '../shell/session.ts'
import { Away } from './away.tsx'
import { ThisBrowser } from './this-browser.tsx'

export function Saying() {
  // Who is never asked has no answers to give.
  if (person.value?.rights.includes('confirmer') !== true) return null
  return (
    <>
      <ThisBrowser />
      <Away />
    </>
  )
}
