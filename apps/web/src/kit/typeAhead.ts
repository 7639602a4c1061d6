/**
 * Keys between the one that opens a field and the moment at which it has the focus: who types fast loses none of them,
 * and none of them is taken for a command of the page.
 */
const LONGEST_MS = 5_000
const CAPTURE = { capture: true }

let typed = ''
let stop: (() => void) | undefined

/** Begins to collect what is typed, until it is taken or Escape is pressed. */
export function beginTypeAhead(): void {
  takeTyped()
  const collect = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      takeTyped()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Backspace') typed = typed.slice(0, -1)
    else if (event.key === 'Enter') typed += '\n'
    else if (event.key.length === 1) typed += event.key
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', collect, CAPTURE)
  const timer = setTimeout(takeTyped, LONGEST_MS)
  stop = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', collect, CAPTURE)
  }
}

/** What was typed meanwhile, Enter as a new line; from now on the keys are the field's own. */
export function takeTyped(): string {
  stop?.()
  stop = undefined
  const words = typed
  typed = ''
  return words
}
