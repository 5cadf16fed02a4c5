// What is about the person and this browser: who they are here, appearance, and the way out.
import { labels } from '#present/console/labels'
import { Loaded } from './loaded.tsx'
import { person, signOut } from './session.ts'
import { theme, themes } from './theme.ts'

const saying = async () => (await import('../saying/saying.tsx')).Saying
const notifications = async () => (await import('../attending/notifications.tsx')).Notifications

export function YourSettings() {
  const who = person.value
  if (who === null) return null
  return (
    <section class="pane spaced">
      <h1>{who.id}</h1>
      <p class="quiet">{who.rights.join(', ')}</p>
      <fieldset class="choice">
        <legend>{labels.theme.title}</legend>
        {themes.map((each) => (
          <label>
            <input
              type="radio"
              name="theme"
              checked={theme.value === each}
              onChange={() => (theme.value = each)}
            />
            <span>{labels.theme[each]}</span>
          </label>
        ))}
      </fieldset>
      <Loaded load={saying} />
      <Loaded load={notifications} />
      <button type="button" class="button" onClick={() => void signOut()}>
        {labels.signIn.out}
      </button>
    </section>
  )
}
