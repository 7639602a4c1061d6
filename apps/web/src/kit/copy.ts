import { notify } from './notify.tsx'

/**
 * Copies a text to the clipboard. On plain http (a clinic in its own network) browsers have no clipboard API: the older
 * command copies a selected field there. If both fail, the text is shown in a toast until it is closed, to be copied by hand.
 * @param title above the text in that toast: «Ссылка на задачу»
 * @returns whether the text is in the clipboard
 */
export async function copyText(text: string, title = 'Скопируйте вручную'): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (copySelected(text)) return true
    notify.info(text, { title, timeout: false, id: 'copy' })
    return false
  }
}

/** Selects the text in a field and copies the selection; the focus returns to its element. */
function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.ariaHidden = 'true'
  // Visible to the browser, else nothing can be selected; fixed, so that nothing scrolls.
  field.style.cssText = 'position:fixed;inset:0 auto auto 0;width:1px;height:1px;opacity:0'
  // In the dialog that holds the focus: it takes the focus back from elements outside.
  const place = before?.closest('dialog, [role="dialog"]') ?? document.body
  place.append(field)
  field.select()
  let copied = false
  try {
    copied = document.execCommand('copy')
  } catch {
    // Refused by the browser.
  }
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return copied
}
