import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright/test'

/** Given to the page once and run there: a builder that opens a page of its own for each result costs three times this. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose answer hangs on colours: all that is left to ask when only the scheme has changed. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** What breaks the rules of accessibility on the page as it stands now, a line a rule with the places. */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  await still(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  const options: RunOptions = {
    resultTypes: ['violations'],
    iframes: false,
    ...(rules === 'colours' ? { runOnly: { type: 'rule', values: COLOURS } } : {}),
  }
  const found = await page.evaluate(async (asked) => {
    const { axe } = window as unknown as { axe: { run(root: Document, options: RunOptions): Promise<AxeResults> } }
    const { violations } = await axe.run(document, asked)
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map((node) => `${node.target} ${node.html.slice(0, 160)}`),
    }))
  }, options)
  return found.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((node) => `  ${node}`).join('\n')}`)
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
