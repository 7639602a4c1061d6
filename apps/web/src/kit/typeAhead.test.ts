import { afterEach, describe, expect, it } from 'vitest'
import { beginTypeAhead, takeTyped } from './typeAhead.ts'

const press = (key: string, more: KeyboardEventInit = {}): boolean =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))

afterEach(() => void takeTyped())

describe('what is typed before a field is there', () => {
  it('is kept in order and reaches nothing else', () => {
    const heard: string[] = []
    const hear = ({ key }: KeyboardEvent) => heard.push(key)
    document.addEventListener('keydown', hear)
    beginTypeAhead()
    for (const key of ['П', 'н', 'Backspace', 'р', ' ', '1']) expect(press(key)).toBe(false)
    press('Tab')
    press('k', { ctrlKey: true })
    expect(takeTyped()).toBe('Пр 1')
    expect(heard).toEqual(['Tab', 'k'])
    expect(press('а')).toBe(true)
    expect(takeTyped()).toBe('')
    document.removeEventListener('keydown', hear)
  })

  it('is forgotten with Escape', () => {
    beginTypeAhead()
    press('а')
    press('Escape')
    expect(takeTyped()).toBe('')
  })
})
