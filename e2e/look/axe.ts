import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, ElementContext, RunOptions } from 'axe-core'
import type { Page } from 'playwright/test'

/** Given to the page once and run there: a builder that opens a page of its own for each result costs three times this. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose answer hangs on colours: all that is left to ask when only the scheme has changed. */
const COLOURS = ['color-contrast', 'link-in-text-block']

export type Scheme = 'light' | 'dark'

/**
 * What breaks the rules of accessibility on the page as it stands now, a line a rule with the places. Colours are judged
 * once a scheme: at another width only those of what is new there or drawn in others.
 * @param rules `colours`: the rest has been asked already at this width
 */
export async function violations(page: Page, scheme: Scheme, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  await still(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  const found = await page.evaluate(judge, { scheme, rules, colours: COLOURS })
  return found.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((node) => `  ${node}`).join('\n')}`)
}

interface Asked {
  scheme: Scheme
  rules: 'all' | 'colours'
  colours: string[]
}

/** Runs in the page. */
async function judge({ scheme, rules, colours }: Asked): Promise<{ id: string; help: string; nodes: string[] }[]> {
  const own = window as unknown as {
    axe: { run(context: ElementContext, options: RunOptions): Promise<AxeResults> }
    /** How what has been judged was drawn, by scheme. */
    judged?: Partial<Record<Scheme, WeakMap<Element, string>>>
  }
  own.judged ??= {}
  const before = own.judged[scheme]
  const now = new WeakMap<Element, string>()
  const others: Element[] = []
  // What lies behind a dialog is a state of its own.
  const behind = document.querySelector('[role=dialog][aria-modal=true]') && document.querySelector('#root')
  for (const element of document.querySelectorAll('body, body *')) {
    if (behind?.contains(element) || !element.checkVisibility()) continue
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight } = getComputedStyle(element)
    const drawn = [color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight].join(' ')
    now.set(element, drawn)
    // In the order of the document what is inside of one comes right after it.
    if (before && before.get(element) !== drawn && !others.at(-1)?.contains(element)) others.push(element)
  }
  own.judged[scheme] = now

  // No rule that is asked here reads style sheets: they need not be fetched once more.
  // WCAG 2.2 asks for 24 px of a control, or room around it; axe does not unless told.
  const sizes = { 'target-size': { enabled: true } }
  const options: RunOptions = { resultTypes: ['violations'], iframes: false, preload: false, rules: sizes }
  const ofColours: RunOptions = { ...options, runOnly: { type: 'rule', values: colours } }
  const off = Object.fromEntries(colours.map((id) => [id, { enabled: false }]))
  const ofTheRest: RunOptions = { ...options, rules: { ...sizes, ...off } }
  const runs: AxeResults[] = []
  const whole: ElementContext = behind ? { exclude: behind as never } : document
  if (!before) runs.push(await own.axe.run(whole, rules === 'all' ? options : ofColours))
  else {
    if (rules === 'all') runs.push(await own.axe.run(whole, ofTheRest))
    if (others.length > 0) runs.push(await own.axe.run({ include: others as Node[] as never }, ofColours))
  }
  const found = runs.flatMap(({ violations }) =>
    violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map((node) => `${node.target} ${node.html.slice(0, 160)}`),
    })),
  )
  // HTML forbids it, and axe says nothing: a press on the words goes where the inner one leads.
  const nested = [...document.querySelectorAll(':is(a, button) :is(a, button, input, select, textarea)')]
  if (rules === 'all' && nested.length > 0) {
    const nodes = nested.map((element) => element.outerHTML.slice(0, 160))
    found.push({ id: 'nested-controls', help: 'A link or a button within another', nodes })
  }
  return found
}

/** A countdown of a toast is no movement, and stands still under the pointer. */
const MOVEMENT_MS = 1_000

/** Waits for movements that end. */
function still(page: Page): Promise<void> {
  return page.evaluate(async (longest) => {
    const moving = document
      .getAnimations()
      .filter(
        (one) => one.playState === 'running' && Number(one.effect?.getComputedTiming().endTime ?? Infinity) <= longest,
      )
    // What is not drawn, out of the window as it may be, never ends.
    const bound = new Promise((resolve) => setTimeout(resolve, longest))
    await Promise.race([bound, Promise.all(moving.map((one) => one.finished.catch(() => undefined)))])
  }, MOVEMENT_MS)
}
