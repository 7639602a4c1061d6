/** Performs user actions and counts the steps: docs/tests.md defines a step. */
import { expect, type Locator, type Page } from 'playwright/test'

export const WAYS = ['mouse', 'keys'] as const
export type Way = (typeof WAYS)[number]
/** Presses of Tab until a control counts as unreachable. */
const MAX_TABS = 80
/** Pause of a user between two controls. */
const HAND_MS = 120

/** Performs user actions, and counts them. */
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

  /** Presses a control: a click; or tabbing and a press of Enter or Space. */
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

  /** Enters a field: a click, or tabbing. No step if the caret is there already. */
  async enter(field: Locator): Promise<void> {
    await expect(field).toBeVisible()
    if (await this.stands(field)) return
    if (this.way === 'mouse') {
      this.steps++
      await field.click()
    } else await this.walk(field)
  }

  /** Types text at the caret. */
  async type(words: string): Promise<void> {
    this.steps++
    await this.page.keyboard.type(words)
  }

  /** Pastes text that was copied elsewhere: one chord, Ctrl+V. A test has no shared clipboard. */
  async paste(field: Locator, text: string): Promise<void> {
    this.steps++
    await field.evaluate((element, words) => {
      const data = new DataTransfer()
      data.setData('text/plain', words)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, text)
  }

  async key(chord: string): Promise<void> {
    this.steps++
    await this.page.keyboard.press(chord)
  }

  /** True when the control has the focus, after a newly opened layer has taken it: a user is slower than a frame. */
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

/** Resolves when the focus has not moved for a while. Runs in the page. */
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
