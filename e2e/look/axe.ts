import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, ElementContext, RunOptions } from 'axe-core'
import type { Page } from 'playwright/test'

/** Injected into the page once and run there: a builder that opens its own page per result takes three times as long. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules that depend on colours: the only ones to repeat when just the scheme changes. */
const COLOURS = ['color-contrast', 'link-in-text-block']

export type Scheme = 'light' | 'dark'

/**
 * Accessibility violations of the page in its current state, one line per rule with the places. Colours are checked once
 * per scheme: at another width only elements that are new or drawn differently.
 * @param rules `colours`: the rest has been checked already at this width
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
    /** How checked elements were drawn, by scheme. */
    judged?: Partial<Record<Scheme, WeakMap<Element, string>>>
  }
  own.judged ??= {}
  const before = own.judged[scheme]
  const now = new WeakMap<Element, string>()
  const others: Element[] = []
  // Content behind a dialog is a state of its own.
  const behind = document.querySelector('[role=dialog][aria-modal=true]') && document.querySelector('#root')
  for (const element of document.querySelectorAll('body, body *')) {
    if (behind?.contains(element) || !element.checkVisibility()) continue
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight } = getComputedStyle(element)
    const drawn = [color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight].join(' ')
    now.set(element, drawn)
    // In document order the descendants of an element follow it directly.
    if (before && before.get(element) !== drawn && !others.at(-1)?.contains(element)) others.push(element)
  }
  own.judged[scheme] = now

  // The selected rules do not read style sheets: no need to fetch them again.
  // WCAG 2.2 requires 24 px for a control, or space around it; axe checks that only if enabled.
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
  // Nested controls are forbidden in HTML but not reported by axe: a click would follow the inner one.
  const nested = [...document.querySelectorAll(':is(a, button) :is(a, button, input, select, textarea)')]
  if (rules === 'all' && nested.length > 0) {
    const nodes = nested.map((element) => element.outerHTML.slice(0, 160))
    found.push({ id: 'nested-controls', help: 'A link or a button within another', nodes })
  }
  return found
}

/** The countdown of a toast is not an animation to wait for. */
const MOVEMENT_MS = 1_000

/** Waits for finite animations. */
function still(page: Page): Promise<void> {
  return page.evaluate(async (longest) => {
    const moving = document
      .getAnimations()
      .filter(
        (one) => one.playState === 'running' && Number(one.effect?.getComputedTiming().endTime ?? Infinity) <= longest,
      )
    // Animations of elements that are not rendered never end.
    const bound = new Promise((resolve) => setTimeout(resolve, longest))
    await Promise.race([bound, Promise.all(moving.map((one) => one.finished.catch(() => undefined)))])
  }, MOVEMENT_MS)
}
