/** The scroll container of an element: the column of the form, or on a phone the whole page. */
export function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  const around = element?.parentElement ?? null
  if (!around) return null
  return /auto|scroll/.test(getComputedStyle(around).overflowY) ? around : scrollerOf(around)
}
