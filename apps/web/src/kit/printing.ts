/** A page is printed in the light scheme: paper has no dark background to read light words on. */
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
