// Begins the page in the browser: it draws what the address names.
import { render } from 'preact'
import { followAddress } from './shell/address.ts'
import { App } from './shell/app.tsx'
import { startClock } from './shell/clock.ts'
import { startLive } from './shell/live.ts'
import { readSession } from './shell/session.ts'
import { startTheme } from './shell/theme.ts'

const root = document.getElementById('page')
if (root !== null) {
  startTheme()
  followAddress()
  startClock()
  startLive()
  void readSession()
  render(<App />, root)
}
