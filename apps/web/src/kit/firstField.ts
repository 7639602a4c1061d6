/** Fields in which typing may begin. */
const FIELDS =
  'textarea, [contenteditable="true"], input:not([type="hidden"], [type="file"], [type="checkbox"], [type="radio"])'
/** A searchable choice opens its list when focused: the list would cover what follows. */
const OPENS = '[aria-haspopup]:not([readonly])'
const REQUIRED = '[required], [aria-required="true"]'

/** The first required field that is still empty; null: none. */
function emptyRequired(frame: Element): HTMLElement | null {
  const isEmpty = (field: Element) =>
    // A choice whose name is still loaded.
    !field.hasAttribute('data-filled') &&
    !field.parentElement?.querySelector('.mantine-Pill-root') &&
    (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
      ? field.value === '' && !field.disabled && !(field.readOnly && !field.matches('[aria-haspopup]'))
      : field.textContent === '')
  const required = [...frame.querySelectorAll<HTMLElement>(FIELDS)].filter((field) => field.matches(REQUIRED))
  return required.find(isEmpty) ?? null
}

/** Takes the caret on from a field that the program has just filled in: no Tab is needed. */
export function leaveFilled(frame: HTMLElement | null, name: string): void {
  // The value is in the field once it is rendered.
  requestAnimationFrame(() => {
    const field = document.activeElement
    if (!frame?.contains(field) || field?.getAttribute('name') !== name) return
    field.removeAttribute('data-autofocus')
    const next = markFirstField(frame)
    if (next !== field) next?.focus()
  })
}

/**
 * Marks the field that has the caret when a form opens: the first required one that is empty; else the one that
 * the form names, else the first one. @returns the field; null: the form has none
 */
export function markFirstField(frame: Element): HTMLElement | null {
  const named = frame.querySelector<HTMLElement>('[data-autofocus]')
  const required = emptyRequired(frame)
  const first =
    required && !named?.matches(REQUIRED)
      ? required
      : (named ?? [...frame.querySelectorAll<HTMLElement>(FIELDS)].find((field) => !field.matches(OPENS)) ?? null)
  if (named && named !== first) named.removeAttribute('data-autofocus')
  first?.setAttribute('data-autofocus', 'true')
  return first
}
