/** A hand that does what a person does and counts the steps: docs/tests.md says what a step is. */
import { expect, type Locator, type Page } from 'playwright/test'

export const WAYS = ['mouse', 'keys'] as const
export type Way = (typeof WAYS)[number]
/** Presses of Tab on the way to one control, beyond which nobody finds it. */
const MAX_TABS = 80
/** A hand's rest between two controls. */
const HAND_MS = 120

/** Does what a person does, and counts it. */
export class Hand {
  steps = 0
  /** Presses of Tab among the steps. */
  tabs = 0
  readonly page: Page
  readonly way: Way

  constructor(page: Page, way: Way) {
    this.page = page
    this.way = way
  }

  /** A control is pressed: a click; or a walk by Tab and a press of Enter or Space. */
  async press(control: Locator, key = 'Enter'): Promise<void> {
    await expect(control).toBeVisible()
    if (this.way === 'mouse') {
      this.steps++
      await control.click()
      return
    }
    await this.walk(control)
    await this.key(key)
  }

  /** A field is entered: a click, or a walk by Tab. Where the caret stands already this is no step. */
  async enter(field: Locator): Promise<void> {
    await expect(field).toBeVisible()
    if (await this.stands(field)) return
    if (this.way === 'mouse') {
      this.steps++
      await field.click()
    } else await this.walk(field)
  }

  /** Words are typed where the caret is. */
  async type(words: string): Promise<void> {
    this.steps++
    await this.page.keyboard.type(words)
  }

  /** A tab is opened: a click; or a walk to its list and the arrows. */
  async tab(tab: Locator): Promise<void> {
    if (this.way === 'mouse') return this.press(tab)
    await expect(tab).toBeVisible()
    await this.walk(tab.locator('xpath=ancestor::*[@role="tablist"]').getByRole('tab', { selected: true }))
    while (!(await isFocused(tab))) await this.key('ArrowRight')
  }

  async key(chord: string): Promise<void> {
    this.steps++
    await this.page.keyboard.press(chord)
  }

  /** Whether the caret stands there, once what has just opened has taken it: a hand is slower than a frame. */
  private async stands(control: Locator): Promise<boolean> {
    await this.page.evaluate(STEADY_FOCUS, HAND_MS)
    return isFocused(control)
  }

  private async walk(control: Locator): Promise<void> {
    if (await this.stands(control)) return
    this.steps++
    for (let i = 0; i < MAX_TABS; i++) {
      this.tabs++
      await this.page.keyboard.press('Tab')
      if (await isFocused(control)) return
    }
    throw new Error(`Tab does not lead to ${control}`)
  }
}

/** Resolves when the focus has stayed where it is. Runs in the page. */
const STEADY_FOCUS = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    let at = document.activeElement
    let since = performance.now()
    const look = (): void => {
      if (document.activeElement !== at) {
        at = document.activeElement
        since = performance.now()
      }
      if (performance.now() - since >= ms) resolve()
      else requestAnimationFrame(look)
    }
    look()
  })

const isFocused = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === document.activeElement || element.contains(document.activeElement))
