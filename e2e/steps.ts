/** Shared by the tests that count the steps of daily jobs. */
import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright/test'
import type { Hand, Way } from './hand.ts'
import { expect, test } from './support.ts'

export const WIDE = { width: 1760, height: 900 }

export const mark = (): string => randomUUID().slice(0, 8)

export const dialog = (page: Page, name?: string | RegExp): Locator =>
  page.getByRole('dialog', name ? { name } : {}).last()

/** Prints the figures and fails above the number of steps written down. */
export function printSteps(job: string, { steps, tabs, way }: Hand, most: Readonly<Record<Way, number>>): void {
  test.info().annotations.push({ type: 'steps', description: `${job}, ${way}: ${steps} steps, ${tabs} × Tab` })
  console.log(`${job}, ${way}: ${steps} steps, ${tabs} × Tab`)
  expect(steps, `${job}, ${way}`).toBeLessThanOrEqual(most[way])
}
