import classes from '#kit/FilterPanel.module.css'

/**
 * Shared props of filter inputs: a label above the field in the panel, a placeholder in a toolbar. In the panel lists open
 * inside it, so that choosing does not close the panel; and not on focus, since the panel focuses its first field.
 * @param any text of the empty field
 */
export function filterInputProps({ label, inline }: { label: string; inline: boolean }, any: string, isEmpty: boolean) {
  const placeholder = isEmpty ? any : undefined
  return inline
    ? { 'aria-label': label, placeholder, openOnFocus: false, className: classes.choice }
    : { label, placeholder, openOnFocus: false, comboboxProps: { withinPortal: false } as const }
}

/** Text of a searchable list without matches. */
export const NOTHING_FOUND = 'Совпадений не найдено'
