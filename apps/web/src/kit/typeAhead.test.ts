import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { beginTypeAhead, takeTyped } from './typeAhead.ts'

const page = new EventTarget()
beforeAll(() => void vi.stubGlobal('window', page))
afterAll(() => void vi.unstubAllGlobals())
afterEach(() => void takeTyped())

class Key extends Event {
  readonly key: string
  readonly ctrlKey: boolean
  constructor(key: string, { ctrlKey = false }: { ctrlKey?: boolean } = {}) {
    super('keydown', { cancelable: true })
    this.key = key
    this.ctrlKey = ctrlKey
  }
}

/** @returns whether the key keeps its default action */
const press = (key: string, more: { ctrlKey?: boolean } = {}): boolean => page.dispatchEvent(new Key(key, more))

describe('what is typed before a field is there', () => {
  it('is kept in order and is no command of the page', () => {
    const keys: string[] = []
    beginTypeAhead()
    page.addEventListener('keydown', (event) => event instanceof Key && keys.push(event.key))
    for (const key of ['П', 'н', 'Backspace', 'р', ' ', '1', 'Enter']) expect(press(key)).toBe(false)
    expect([press('Tab'), press('k', { ctrlKey: true })]).toEqual([true, true])
    expect(keys).toEqual(['Tab', 'k'])
    expect(takeTyped()).toBe('Пр 1\n')
    expect(press('а')).toBe(true)
    expect(takeTyped()).toBe('')
  })

  it('is forgotten with Escape', () => {
    beginTypeAhead()
    press('а')
    press('Escape')
    expect(takeTyped()).toBe('')
  })
})
