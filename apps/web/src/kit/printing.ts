/** Prints the page in the light scheme, since paper is white. */
export function printInLight(): void {
  const root = document.documentElement
  const NAME = 'data-mantine-color-scheme'
  let before: string | null = null
  addEventListener('beforeprint', () => {
    before = root.getAttribute(NAME)
    root.setAttribute(NAME, 'light')
  })
  addEventListener('afterprint', () => {
    if (before !== null) root.setAttribute(NAME, before)
    before = null
  })
}
