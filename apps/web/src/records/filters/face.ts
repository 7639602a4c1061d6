import classes from '../../kit/FilterPanel.module.css'

/**
 * What the inputs of filters share: a label over the field in the panel, and in a line of tools the words within it.
 * In the panel lists open inside, so that choosing in one does not close it; and not by focus, which the panel gives to
 * its first field.
 * @param any what the empty field says
 */
export function face({ label, inline }: { label: string; inline: boolean }, any: string, isEmpty: boolean) {
  const placeholder = isEmpty ? any : undefined
  return inline
    ? { 'aria-label': label, placeholder, openOnFocus: false, className: classes.choice }
    : { label, placeholder, openOnFocus: false, comboboxProps: { withinPortal: false } as const }
}

/** The words of a list that is searched. */
export const NOTHING_FOUND = 'Совпадений не найдено'
