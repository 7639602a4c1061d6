import type { KeyboardEvent } from 'react'

/**
 * For a text field with suggestions: its open list swallows Enter. Without a highlighted suggestion Enter submits the form,
 * as in any other field.
 */
export function submitOnEnter(event: KeyboardEvent<HTMLInputElement>): void {
  const { currentTarget: field, key } = event
  if (key !== 'Enter' || field.getAttribute('aria-expanded') !== 'true') return
  if (!field.getAttribute('aria-activedescendant')) field.form?.requestSubmit()
}
