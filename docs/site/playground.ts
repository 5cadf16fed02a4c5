// The page on which the core itself runs: what is edited beside what it comes to.
import { escaped } from './markdown.ts'
import type { Example } from './examples.ts'

const parts = [
  ['request', 'Request', 'What the agent asks for, in YAML'],
  ['history', 'History', 'What is given: earlier messages and requests, in YAML'],
  ['catalog', 'Catalog', 'Agents, people, tools and rules, in JSON'],
  ['graph', 'Graph', 'What is known, in JSON'],
  ['cases', 'Test cases', 'What requests should come to, in YAML'],
] as const

export const playgroundPlace = 'playground.html'

/** An example by the number of its place, since a name has slashes. */
export const examplePlace = (index: number): string => `playground/examples/${index}.json`

export function playgroundContent(examples: readonly Example[]): string {
  const options = examples.map(({ name }, index) => {
    return `<option value="${examplePlace(index)}">${escaped(name)}</option>`
  })
  const fields = parts.map(([id, label, help]) => {
    return `<details class="part"${id === 'graph' || id === 'cases' ? '' : ' open'}>
<summary>${label}</summary>
<label class="quiet" for="${id}">${help}</label>
<textarea id="${id}" rows="8" spellcheck="false" autocomplete="off" autocapitalize="off">
</textarea>
<p class="problem" id="problem-${id}" hidden></p>
</details>`
  })
  return `<h1>Playground</h1>
<p>What an agent asks for, judged here by the code that judges it in a log. Nothing leaves this
page: a link holds all of it in the part of an address that no server gets. No callback runs here:
the history states what each answers.</p>
<div class="bar">
<label>Example <select id="example">${options.join('')}</select></label>
<button id="link" type="button">Link to this</button>
<button id="stop" type="button" hidden>Stop</button>
</div>
<output id="status"></output>
<p><output id="linked"></output> <input id="address" aria-label="The link" readonly hidden></p>
<div class="beside">
<div>${fields.join('\n')}</div>
<div id="judged">
<h2>Verdict</h2>
<p><b id="outcome"></b></p>
<ul id="lines"></ul>
<h2>What was known</h2>
<pre id="known" tabindex="0"></pre>
<h2>What would change it</h2>
<div id="help"></div>
<h2>Test cases</h2>
<p id="passed" class="quiet"></p>
<ul id="tried"></ul>
</div>
</div>
<noscript>The playground runs in the browser, and needs JavaScript for it.</noscript>`
}
