/**
 * Collects keys between the one that opens a field and the moment it has the focus: fast typing loses none of them, and
 * none triggers a shortcut of the page.
 */
const LONGEST_MS = 5_000
const CAPTURE = { capture: true }

let typed = ''
let stop: (() => void) | undefined

/** Starts collecting, until the text is taken or Escape is pressed. */
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

/** Returns the collected text, Enter as a new line; from now on keys go to the field. */
export function takeTyped(): string {
  stop?.()
  stop = undefined
  const words = typed
  typed = ''
  return words
}
