import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { beginTypeAhead, takeTyped } from './typeAhead.ts'

const page = new EventTarget()
beforeAll(() => void vi.stubGlobal('window', page))
afterAll(() => void vi.unstubAllGlobals())
afterEach(() => void takeTyped())

/** @returns whether the key goes its own way */
const press = (key: string, more: { ctrlKey?: boolean } = {}): boolean =>
  page.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key, ...more }))

describe('what is typed before a field is there', () => {
  it('is kept in order and is no command of the page', () => {
    const heard: string[] = []
    beginTypeAhead()
    page.addEventListener('keydown', (event) => heard.push((event as unknown as { key: string }).key))
    for (const key of ['П', 'н', 'Backspace', 'р', ' ', '1']) expect(press(key)).toBe(false)
    expect([press('Tab'), press('k', { ctrlKey: true })]).toEqual([true, true])
    expect(heard).toEqual(['Tab', 'k'])
    expect(takeTyped()).toBe('Пр 1')
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
