// Begins the page in the browser: it draws what the address names.
import { signal } from '@preact/signals'
import { render } from 'preact'

const title = signal('Warrant')
const root = document.getElementById('page')
if (root !== null) {
  render(
    <main>
      <h1>{title}</h1>
    </main>,
    root,
  )
}
